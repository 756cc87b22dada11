import { expect, test } from "vitest"
import { type Case, linesOf } from "./support.ts"

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

const lost = (name: string, entries: string, rest = "The subagent works without that.") =>
  `Agent \`${name}\`, which this agent may have work, lists ${entries}, and what this agent is denied is denied below it, too. ${rest} Take the denial away, or leave the tool out of this agent's own list instead.`

test.each<[string, Case, readonly string[]]>([
  [
    "the entry that takes it",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["WebFetch", "run_shell_command"],
      around: { agents: [{ tools: ["Read", "Bash"] }] },
    },
    [`warning delegation-denied at disallowedTools "run_shell_command": ${lost("agent-2", "`Bash`")}`],
  ],
  [
    "what a pattern of its list fits",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["Bash"],
      around: { agents: [{ tools: ["Read", "Ba*"] }] },
    },
    [`warning delegation-denied at disallowedTools "Bash": ${lost("agent-2", "`Ba*`")}`],
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
      `warning delegation-denied at permissionMode: ${lost("agent-2", "`Bash` and `Edit`")}`,
      `warning delegation-denied at permissionMode: ${lost("agent-4", "`Bash`", "Nothing is left of that list, so the subagent would be refused.")}`,
    ],
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
