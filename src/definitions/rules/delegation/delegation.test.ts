import { expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { type Case, writeBriefLines, writeWholeLines } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  ["agents that are there", { tools: ["Agent(agent-2, agent-3)"], around: { agents: [{}, {}] } }, []],
  ["whoever is there", { tools: ["Agent"] }, []],
  [
    "a slip",
    { tools: ["Agent(agent-2, reviewr)"], around: { agents: [{}, { name: "reviewer" }] } },
    ['error delegation-unknown at tools "Agent(agent-2, reviewr)": `reviewr` `reviewer`'],
  ],
  [
    "nobody like it",
    { tools: ["Task(archivist)"], around: { agents: [{ name: "reviewer" }] } },
    ['error delegation-unknown at tools "Task(archivist)": `archivist` `reviewer`'],
  ],
  [
    "built into the format's own tool",
    { tools: ["Agent(Explore)"] },
    ['warning delegation-unknown at tools "Agent(Explore)": `Explore`'],
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
    ['warning delegation-unreachable at tools "Agent(agent-2, agent-3)": `agent-2` `agent-3` `hidden`'],
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
    ["info delegation-circular at tools: `agent-1` `agent-2` `agent-3` `Agent`"],
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
  expect(writeBriefLines(subject)).toEqual(expected)
})

const lost = (place: string, says: string) => naming(`warning delegation-denied at ${place}`, says)
const refused = (names: string, tools: string) => naming("subagents", "left", `${tools}: ${names}`)

test.each<[string, Case, readonly string[]]>([
  [
    "the entry that takes it",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["WebFetch", "run_shell_command"],
      around: { agents: [{ tools: ["Read", "Bash"] }] },
    },
    [lost('disallowedTools "run_shell_command"', "These subagents run without `Bash`: `agent-2`")],
  ],
  [
    "what a pattern of its list fits",
    {
      tools: ["Agent(agent-2)"],
      disallowedTools: ["Bash"],
      around: { agents: [{ tools: ["Read", "Ba*"] }] },
    },
    [lost('disallowedTools "Bash"', "These subagents run without `Bash`: `agent-2`")],
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
    [lost('disallowedTools "Bash"', "These subagents run without `Bash`: `agent-2` and `agent-3`")],
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
      lost("permissionMode", "These subagents run without `Bash` and `Edit`: `agent-2`"),
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
  expect(writeWholeLines({ ...subject, levels: { "mode-refused": "off" } })).toEqual(expected)
})

const denials = [{ rule: "WebFetch" }, { rule: "run_shell_command", at: "config.yaml:4" }]

test.each<[string, Case, readonly string[]]>([
  [
    "a tool that it lists",
    { tools: ["Read", "Bash"] },
    ['warning configuration-denied at tools "Bash": `Bash` 4 `run_shell_command` `Bash`'],
  ],
  [
    "a tool that a pattern fits",
    { tools: ["Read", "WebF*"] },
    ['warning configuration-denied at tools "WebF*": `WebFetch` `WebFetch` `WebF*`'],
  ],
  ["all of its list, which keeps it from starting", { tools: ["Bash"] }, []],
  ["a tool that it denies itself", { tools: ["Read", "Bash"], disallowedTools: ["Bash"] }, []],
  ["nothing that it lists", { tools: ["Read"] }, []],
  ["a tool of an agent without a list", {}, []],
])("the configuration denies %s", (_, subject, expected) => {
  const levels = { "tools-conflict": "off" } as const
  expect(writeBriefLines({ ...subject, levels, around: { denials } })).toEqual(expected)
})

const narrowly = ["narrow", "delegates"]

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
    [naming("warning delegation-narrow at tools: ", ...narrowly, "`Edit`: `agent-2`", "`Bash`: `agent-3`")],
  ],
  [
    "`delegation: narrow`, where it may call anybody",
    {
      tools: ["Agent"],
      around: { delegation: "narrow", agents: [{ tools: ["Edit"] }, { tools: ["Read"] }] },
    },
    [
      naming(
        "warning delegation-narrow at tools: ",
        ...narrowly,
        "`Edit` and `Read`: `agent-2` and `agent-3`",
      ),
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
    [expect.stringMatching(/^warning delegation-narrow at tools.*`Bash`: `agent-2`.?$/)],
  ],
])("a caller leaves its subagents without their tools: %s", (_, subject, expected) => {
  expect(writeWholeLines(subject)).toEqual(expected)
})
