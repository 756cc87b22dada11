import { expect, test } from "vitest"
import { type Case, linesOf } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  ["agents that are there", { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{}, {}] } }, []],
  ["whoever is there", { tools: ["Agent"] }, []],
  [
    "a slip",
    { tools: ["Agent(agent-2, reviewr)"], around: { agents: [{}, { name: "reviewer" }] } },
    [
      'error delegation-unknown at tools "Agent(agent-2, reviewr)": There is no agent `reviewr`, so every call to it would fail. Did you mean `reviewer`?',
    ],
  ],
  [
    "nobody like it",
    { tools: ["Task(archivist)"], around: { agents: [{ name: "reviewer" }] } },
    [
      'error delegation-unknown at tools "Task(archivist)": There is no agent `archivist`, so every call to it would fail. Known: `reviewer`.',
    ],
  ],
  [
    "built into the format's own tool",
    { tools: ["Agent(Explore)"] },
    [
      'warning delegation-unknown at tools "Agent(Explore)": `Explore` is built into Claude Code and does not exist here, so nothing can be delegated to it. Define an agent of this name, or remove it unless the file is also used there.',
    ],
  ],
  ["a pattern", { tools: ["Agent(team-*)"] }, []],
  [
    "somebody who is refused anyway",
    { tools: ["Agent(agent-2, nobody)"], disallowedTools: ["Agent(nobody)"], around: { agents: [{}] } },
    [],
  ],
  [
    "hidden ones only",
    { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{ hidden: true }, { hidden: true }] } },
    [
      'warning delegation-unreachable at tools "Agent(agent-2, agent-3)": This agent may delegate only to `agent-2` and `agent-3`, and hidden agents are not offered to models, so it can delegate to nobody. Name another agent, or set `hidden` to false.',
    ],
  ],
  [
    "a hidden one among others",
    { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{ hidden: true }, {}] } },
    [],
  ],
  [
    "each other only",
    {
      tools: ["Agent(agent-2)"],
      around: { agents: [{ tools: ["Agent(agent-3)"] }, { tools: ["Agent(agent-1)"] }] },
    },
    [
      "info delegation-circular at tools: `agent-1`, `agent-2` and `agent-3` may delegate only to each other, so a task can go round until the depth limit refuses it. Let one of them delegate to nobody, or to an agent outside.",
    ],
  ],
  [
    "a circle with a way out",
    { tools: ["Agent(agent-2)"], around: { agents: [{ tools: ["Agent(agent-1, agent-3)"] }, {}] } },
    [],
  ],
  [
    "a circle below it",
    {
      tools: ["Agent(agent-2)"],
      around: { agents: [{ tools: ["Agent(agent-3)"] }, { tools: ["Agent(agent-2)"] }] },
    },
    [],
  ],
  ["itself only", { tools: ["Read", "Agent(agent-1)"] }, []],
])("delegation: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})

const lost = (place: string, says: string) =>
  `warning delegation-denied at ${place}: What this agent denies is denied to its subagents, too. ${says}. If only this agent is to go without, take the denial away and leave the tool out of \`tools\`.`
const refused = (names: string, tools: string) =>
  `Not started below this agent, because nothing is left of their tools without ${tools}: ${names}`

test.each<[string, Case, readonly string[]]>([
  [
    "the entry that takes it",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["WebFetch", "run_shell_command"],
      around: { agents: [{ tools: ["Read", "Bash"] }] },
    },
    [lost('disallowedTools "run_shell_command"', "Without `Bash`: `agent-2`")],
  ],
  [
    "what a pattern of its list fits",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["Bash"],
      around: { agents: [{ tools: ["Read", "Ba*"] }] },
    },
    [lost('disallowedTools "Bash"', "Without `Bash`: `agent-2`")],
  ],
  [
    "all that is here of a list, whatever else other hosts have",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["Bash"],
      around: { agents: [{ tools: ["Bash", "KillShell"] }] },
    },
    [lost('disallowedTools "Bash"', refused("`agent-2`", "`Bash`"))],
  ],
  [
    "what a subagent without a list goes without",
    {
      tools: ["Agent(agent-2, agent-3)"],
      disallowedTools: ["Bash"],
      around: { agents: [{}, { tools: ["Read", "Bash"] }] },
    },
    [lost('disallowedTools "Bash"', "Without `Bash`: `agent-2` and `agent-3`")],
  ],
  [
    "plan mode, which takes what changes anything",
    {
      tools: ["Agent(agent-2, agent-3, agent-4)"],
      permissionMode: "plan",
      around: {
        agents: [{ tools: ["Read", "Bash", "Edit"] }, { tools: ["Read", "Grep"] }, { tools: ["Bash"] }],
      },
    },
    [
      lost("permissionMode", "Without `Bash` and `Edit`: `agent-2`"),
      lost("permissionMode", refused("`agent-4`", "`Bash`")),
    ],
  ],
  [
    "whom a hook of a file starts",
    {
      tools: ["Read"],
      disallowedTools: ["Bash"],
      around: {
        agents: [{ tools: ["Bash"] }],
        written: () => ({
          hooks: { user: { before_tool: [{ spawn_agent: { agent: "agent-2" } }] } },
          hookFiles: [],
        }),
      },
    },
    [lost('disallowedTools "Bash"', refused("`agent-2`", "`Bash`"))],
  ],
])("a denial above names %s", (_, subject, expected) => {
  expect(linesOf({ ...subject, levels: { "mode-refused": "off" } })).toEqual(expected)
})

const denials = [{ rule: "WebFetch" }, { rule: "run_shell_command", at: "config.yaml:4" }]

test.each<[string, Case, readonly string[]]>([
  [
    "a tool that it lists",
    { tools: ["Read", "Bash"] },
    [
      'warning configuration-denied at tools "Bash": `Bash` is denied by the configuration (config.yaml:4), so the agent works without it. Take `run_shell_command` out there, or `Bash` out of this list.',
    ],
  ],
  [
    "a tool that a pattern fits",
    { tools: ["Read", "WebF*"] },
    [
      'warning configuration-denied at tools "WebF*": `WebFetch` is denied by the configuration, so the agent works without it. Take `WebFetch` out there, or `WebF*` out of this list.',
    ],
  ],
  ["all of its list, which keeps it from starting", { tools: ["Bash"] }, []],
  ["a tool that it denies itself", { tools: ["Read", "Bash"], disallowedTools: ["Bash"] }, []],
  ["nothing that it lists", { tools: ["Read"] }, []],
  ["a tool of an agent without a list", {}, []],
])("the configuration denies %s", (_, subject, expected) => {
  const levels = { "tools-conflict": "off" } as const
  expect(linesOf({ ...subject, levels, around: { denials } })).toEqual(expected)
})

const narrowly =
  "With `delegation: narrow` a subagent has only those of its tools that its caller has or names in `delegates`."

test.each<[string, Case, readonly string[]]>([
  [
    "`delegation: narrow`, by name",
    {
      tools: ["Agent(agent-2, agent-3, agent-4)", "Read"],
      delegates: ["Grep"],
      around: {
        delegation: "narrow",
        agents: [{ tools: ["Edit"] }, { tools: ["Read", "Grep", "Bash"] }, { tools: ["Grep"] }],
      },
    },
    [
      `warning delegation-narrow at tools: ${narrowly} Not started below this agent, because it lacks \`Edit\`: \`agent-2\`. Without \`Bash\`: \`agent-3\`.`,
    ],
  ],
  [
    "`delegation: narrow`, where it may call anybody",
    {
      tools: ["Agent"],
      around: { delegation: "narrow", agents: [{ tools: ["Edit"] }, { tools: ["Read"] }] },
    },
    [
      `warning delegation-narrow at tools: ${narrowly} Not started below this agent, because it lacks \`Edit\` and \`Read\`: \`agent-2\` and \`agent-3\`.`,
    ],
  ],
  [
    "`context: fork` alone",
    {
      tools: ["Agent(agent-2, agent-3)", "Read"],
      around: {
        delegation: "own",
        agents: [{ tools: ["Read", "Bash"], context: "fork" }, { tools: ["Bash"] }],
      },
    },
    [
      "warning delegation-narrow at tools: A subagent with `context: fork` has only those of its tools that its caller has, too. Without `Bash`: `agent-2`.",
    ],
  ],
])("a caller leaves its subagents without their tools: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})
