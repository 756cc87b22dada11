import { expect, test } from "vitest"
import { type Case, writeBriefLines, writeWholeLines } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  [
    "tools that are there",
    { tools: ["Read", "Bash(git:*)", "mcp__github__create_issue", "mcp__*", "Agent"] },
    [],
  ],
  ["no list at all", {}, []],
  ["an empty list", { tools: [] }, ["warning tools-none at tools: `tools`"]],
  ["a slip", { tools: ["Read", "Raed"] }, ['error tool-unknown at tools "Raed": `Raed` `Read`']],
  [
    "a slip with an argument",
    { tools: ["Read", "Bsah(git:*)"] },
    ['error tool-unknown at tools "Bsah(git:*)": `Bsah` `Bash`'],
  ],
  [
    "the case of a name",
    { tools: ["READ", "Grep", "WEBFETCH"] },
    [
      'error tool-unknown at tools "READ": `READ` `Read`',
      'error tool-unknown at tools "WEBFETCH": `WEBFETCH` `WebFetch`',
    ],
  ],
  [
    "another host's name in another spelling",
    { tools: ["Read", "Run-Shell-Command"] },
    ['error tool-unknown at tools "Run-Shell-Command": `Run-Shell-Command` `Bash`'],
  ],
  [
    "a name between two tools",
    { tools: ["Read", "WebFech", "Gret"] },
    [
      'error tool-unknown at tools "WebFech": `WebFech` `WebFetch`',
      'error tool-unknown at tools "Gret": `Gret` `Grep`',
    ],
  ],
  [
    "names like nothing",
    { tools: ["Read", "pip", "pytest", "black"] },
    ['error tool-unknown at tools "pip": `pip` `pytest` `black` `mcp__SERVER__TOOL` `Bash`'],
  ],
  [
    "all tools in words",
    { tools: ["Read", "All tools"] },
    ['error tool-unknown at tools "All tools": `All tools` `*`'],
  ],
  [
    "a tool that is registered",
    { tools: ["Read", "query_warehouse"], around: { tools: new Set(["query_warehouse"]) } },
    [],
  ],
  [
    "a slip in a registered one",
    { tools: ["Read", "query_warehose"], around: { tools: new Set(["query_warehouse"]) } },
    ['error tool-unknown at tools "query_warehose": `query_warehose` `query_warehouse`'],
  ],
  [
    "a tool that comes with the file",
    {
      tools: ["Read", "lint"],
      toolDefinitions: [{ name: "lint", description: "Lints.", script: "/lint.sh" }],
      around: { tools: new Set(["lint"]) },
    },
    [],
  ],
  ["a server of the file", { tools: ["Read", "terraform"], mcpServers: [{ terraform: {} }] }, []],
  [
    "a slip in what is taken away",
    { disallowedTools: ["Bsh"] },
    ['error tool-unknown at disallowedTools "Bsh": `Bsh` `Bash`'],
  ],
  [
    "a slip in a rule",
    {
      rules: [
        { tool: "Wirte", decision: "deny" },
        { tool: "mcp__*", decision: "ask" },
      ],
    },
    ["error tool-unknown at start: `Wirte` `Write`"],
  ],
  [
    "another host's names",
    { tools: ["read_file", "search", "Grep"] },
    ["info tool-translated at tools: `read_file` `search`"],
  ],
  ["the format's own names for ours", { tools: ["Task", "MultiEdit"] }, []],
  [
    "a tool that does not exist here",
    { tools: ["Read", "NotebookEdit"] },
    ["warning tool-foreign at tools: `NotebookEdit`"],
  ],
  [
    "several that do not exist here",
    { tools: ["Read", "KillShell", "usages"] },
    ["warning tool-foreign at tools: `KillShell` `usages`"],
  ],
  [
    "only names that are no tools",
    { tools: ["pip", "pytest"] },
    ["error tools-unresolved at tools: `pip` `pytest` `Read` `Bash` `mcp__SERVER__TOOL`"],
  ],
  [
    "only tools that do not exist here",
    { tools: ["usages", "problems"] },
    ["error tools-unresolved at tools: `usages` `problems` `Read` `Bash` `mcp__SERVER__TOOL`"],
  ],
  ["only a slip", { tools: ["Raed"] }, ["error tools-unresolved at tools: `Raed` `Read`"]],
  [
    "a name twice",
    { tools: ["Read", "ReadFile", "Read"] },
    ['warning tool-duplicate at tools "Read" (3): `Read` 1', "info tool-translated at tools: `ReadFile`"],
  ],
  [
    "a rule twice",
    {
      rules: [
        { tool: "Bash", decision: "ask" },
        { tool: "Bash", decision: "ask" },
        { tool: "Bash", decision: "deny" },
      ],
    },
    ["warning tool-duplicate at start: 1 `Bash`"],
  ],
  [
    "granted and taken away",
    { tools: ["Read", "Bash"], disallowedTools: ["Bash"] },
    ['warning tools-conflict at disallowedTools "Bash": `Bash`'],
  ],
  [
    "granted under another name",
    { tools: ["Read", "run_shell_command"], disallowedTools: ["Bash"] },
    [
      "info tool-translated at tools: `run_shell_command`",
      'warning tools-conflict at disallowedTools "Bash": `Bash` `run_shell_command` `tools`',
    ],
  ],
  [
    "a server that is taken away",
    { tools: ["Read", "mcp__github__create_issue", "mcp__gitlab"], disallowedTools: ["mcp__github"] },
    [
      'warning tools-conflict at disallowedTools "mcp__github": `mcp__github` `mcp__github__create_issue` `tools`',
    ],
  ],
  [
    "every server taken away",
    { tools: ["Read", "mcp__github__create_issue"], disallowedTools: ["mcp__*"] },
    ['warning tools-conflict at disallowedTools "mcp__*": `mcp__*` `mcp__github__create_issue` `tools`'],
  ],
  ["part of a tool taken away", { tools: ["Read", "Bash"], disallowedTools: ["Bash(rm:*)"] }, []],
  ["everything, less something", { tools: ["*"], disallowedTools: ["Bash"] }, []],
  [
    "two pairs of parentheses",
    { tools: ["Agent(agent-2)", "Agent(agent-3)"], around: { agents: [{}, {}] } },
    [
      'error tool-argument at tools "Agent(agent-3)": `Agent(agent-2)` `Agent(agent-3)` `Agent(agent-2, agent-3)`',
    ],
  ],
  [
    "parentheses that are not closed",
    { tools: "Read, Agent(agent-2, agent-3", around: { agents: [{}, {}] } },
    ['error tool-argument at tools "Agent(agent-2": 2 `Bash(git:*)` `Agent(reviewer, tester)`'],
  ],
  [
    "parentheses with nothing before the colon",
    {
      tools: ["Read", "Bash(:*)"],
      disallowedTools: ["Bash(*:)", "Read(:*)"],
      rules: [{ tool: "Bash( :*)", decision: "deny" }],
    },
    [
      ["tools", "Bash(:*)", "Bash"],
      ["disallowedTools", "Bash(*:)", "Bash"],
      ["disallowedTools", "Read(:*)", "Read"],
      ["", "Bash( :*)", "Bash"],
    ].map(
      ([key, text, tool]) =>
        `error tool-argument at ${key === "" ? "start" : `${key} "${text}"`}: \`${tool}\``,
    ),
  ],
  [
    "two pairs of parentheses in one entry, and a host that is left out",
    { tools: ["Bash(a)(b)"], disallowedTools: ["WebFetch(domain:)"] },
    [
      'error tool-argument at tools "Bash(a)(b)": `Bash(git:*)` `Agent(reviewer, tester)`',
      'error tool-argument at disallowedTools "WebFetch(domain:)": `:*` `WebFetch(domain:*)`',
    ],
  ],
  ["empty parentheses", { tools: ["Read", "Agent()"] }, ['error tool-argument at tools "Agent()": `Agent`']],
])("tools: %s", (_, subject, expected) => {
  expect(writeBriefLines(subject)).toEqual(expected)
})

test("messages say what an unknown name does not do, and what was meant", () => {
  const rules = [{ tool: "Wirte", decision: "deny" as const }]
  expect(writeWholeLines({ tools: ["Read", "Raed"], disallowedTools: ["Bsh"], rules })).toEqual([
    expect.stringMatching(/^error tool-unknown at tools "Raed".*`Raed`.*grants nothing.*`Read`.?$/),
    expect.stringMatching(/^error tool-unknown at disallowedTools "Bsh".*`Bsh`.*denies nothing.*`Bash`.?$/),
    expect.stringMatching(/^error tool-unknown at start.*`Wirte`.*decides nothing.*`Write`.?$/),
  ])
  expect(writeWholeLines({ tools: ["Read", "pip", "black"] })).toEqual([
    expect.stringMatching(/named.*`pip` or `black`.*host.*they grant nothing/),
  ])
})
