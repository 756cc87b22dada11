import { expect, test } from "vitest"
import { type Case, linesOf } from "../support.ts"

test.each<[string, Case, readonly string[]]>([
  [
    "tools that are there",
    { tools: ["Read", "Bash(git:*)", "mcp__github__create_issue", "mcp__*", "Agent"] },
    [],
  ],
  ["no list at all", {}, []],
  [
    "an empty list",
    { tools: [] },
    [
      "warning tools-none at tools: This agent is granted no tools: an empty list never means all of them. Leave `tools` out to have every tool that the tree may use.",
    ],
  ],
  [
    "a slip",
    { tools: ["Read", "Raed"] },
    [
      'error tool-unknown at tools "Raed": No tool is called `Raed`, here or in any host that is known, so it grants nothing. Did you mean `Read`?',
    ],
  ],
  [
    "a slip with an argument",
    { tools: ["Read", "Bsah(git:*)"] },
    [
      'error tool-unknown at tools "Bsah(git:*)": No tool is called `Bsah`, here or in any host that is known, so it grants nothing. Did you mean `Bash`?',
    ],
  ],
  [
    "the case of a name",
    { tools: ["READ", "Grep", "WEBFETCH"] },
    [
      'error tool-unknown at tools "READ": No tool is called `READ`, here or in any host that is known, so it grants nothing. Did you mean `Read`?',
      'error tool-unknown at tools "WEBFETCH": No tool is called `WEBFETCH`, here or in any host that is known, so it grants nothing. Did you mean `WebFetch`?',
    ],
  ],
  [
    "another host's name in another spelling",
    { tools: ["Read", "Run-Shell-Command"] },
    [
      'error tool-unknown at tools "Run-Shell-Command": No tool is called `Run-Shell-Command`, here or in any host that is known, so it grants nothing. Did you mean `Bash`?',
    ],
  ],
  [
    "a name between two tools",
    { tools: ["Read", "WebFech", "Gret"] },
    [
      'error tool-unknown at tools "WebFech": No tool is called `WebFech`, here or in any host that is known, so it grants nothing. Did you mean `WebFetch`?',
      'error tool-unknown at tools "Gret": No tool is called `Gret`, here or in any host that is known, so it grants nothing. Did you mean `Grep`?',
    ],
  ],
  [
    "names like nothing",
    { tools: ["Read", "pip", "pytest", "black"] },
    [
      'error tool-unknown at tools "pip": No tool is called `pip`, `pytest` or `black`, here or in any host that is known, so they grant nothing. A tool of an MCP server is written `mcp__SERVER__TOOL`, and a program is run with `Bash`. Known: Read, Edit, Write, ApplyPatch, Bash, Grep, Glob, LS, DirectoryTree, GitDiff, WebFetch, WebSearch, TodoWrite, Think, Skill, Executor, Agent, AgentWait, AgentStatus, AgentCancel, AgentSend, AgentReport, AskParent.',
    ],
  ],
  [
    "all tools in words",
    { tools: ["Read", "All tools"] },
    [
      'error tool-unknown at tools "All tools": No tool is called `All tools`, here or in any host that is known, so it grants nothing. `*` stands for every tool, and leaving the list out gives the agent what its caller has.',
    ],
  ],
  [
    "a tool that is registered",
    { tools: ["Read", "query_warehouse"], around: { tools: new Set(["query_warehouse"]) } },
    [],
  ],
  [
    "a slip in a registered one",
    { tools: ["Read", "query_warehose"], around: { tools: new Set(["query_warehouse"]) } },
    [
      'error tool-unknown at tools "query_warehose": No tool is called `query_warehose`, here or in any host that is known, so it grants nothing. Did you mean `query_warehouse`?',
    ],
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
    [
      'error tool-unknown at disallowedTools "Bsh": No tool is called `Bsh`, here or in any host that is known, so it takes nothing away. Did you mean `Bash`?',
    ],
  ],
  [
    "a slip in a rule",
    {
      rules: [
        { tool: "Wirte", decision: "deny" },
        { tool: "mcp__*", decision: "ask" },
      ],
    },
    [
      "error tool-unknown at start: No tool is called `Wirte`, here or in any host that is known, so it decides nothing. Did you mean `Write`?",
    ],
  ],
  [
    "another host's names",
    { tools: ["read_file", "search", "Grep"] },
    [
      "info tool-translated at tools: Names of other hosts are read as the tools they mean: `read_file` grants Read, `search` grants Grep and Glob.",
    ],
  ],
  ["the format's own names for ours", { tools: ["Task", "MultiEdit"] }, []],
  [
    "a tool that does not exist here",
    { tools: ["Read", "NotebookEdit"] },
    [
      "warning tool-foreign at tools: `NotebookEdit` is a tool of claude and does not exist here, so it grants nothing. Remove it unless the file is also used there.",
    ],
  ],
  [
    "several that do not exist here",
    { tools: ["Read", "KillShell", "usages"] },
    [
      "warning tool-foreign at tools: `KillShell` and `usages` are tools of claude, vscode and do not exist here, so they grant nothing. Remove them unless the file is also used there.",
    ],
  ],
  [
    "only names that are no tools",
    { tools: ["pip", "pytest"] },
    [
      "error tools-unresolved at tools: This agent has no tools, because nothing that is listed is a tool here: `pip` and `pytest`. That never means all tools. Name tools such as `Read`, `Bash` or `mcp__SERVER__TOOL`, or leave the list out to inherit those of the caller.",
    ],
  ],
  [
    "only tools that do not exist here",
    { tools: ["usages", "problems"] },
    [
      "error tools-unresolved at tools: This agent has no tools, because nothing that is listed is a tool here: `usages` and `problems`. That never means all tools. Name tools such as `Read`, `Bash` or `mcp__SERVER__TOOL`, or leave the list out to inherit those of the caller.",
    ],
  ],
  [
    "only a slip",
    { tools: ["Raed"] },
    [
      "error tools-unresolved at tools: This agent has no tools, because nothing that is listed is a tool here: `Raed`. That never means all tools. Did you mean `Read`?",
    ],
  ],
  [
    "a name twice",
    { tools: ["Read", "ReadFile", "Read"] },
    [
      'warning tool-duplicate at tools "Read" (3): `Read` is already number 1 of this list; naming it again changes nothing. Remove it, or write the tool that was meant.',
      "info tool-translated at tools: Names of other hosts are read as the tools they mean: `ReadFile` grants Read.",
    ],
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
    [
      "warning tool-duplicate at start: The same rule for `Bash` is already number 1; this one changes nothing. Remove it.",
    ],
  ],
  [
    "granted and taken away",
    { tools: ["Read", "Bash"], disallowedTools: ["Bash"] },
    [
      'warning tools-conflict at disallowedTools "Bash": `Bash` is both granted and taken away: deny wins, so the agent does not have it. Remove it from one of the two lists.',
    ],
  ],
  [
    "granted under another name",
    { tools: ["Read", "run_shell_command"], disallowedTools: ["Bash"] },
    [
      "info tool-translated at tools: Names of other hosts are read as the tools they mean: `run_shell_command` grants Bash.",
      'warning tools-conflict at disallowedTools "Bash": `Bash` takes away `run_shell_command`, which `tools` grants: deny wins, so the agent does not have it. Remove it from one of the two lists.',
    ],
  ],
  [
    "a server that is taken away",
    { tools: ["Read", "mcp__github__create_issue", "mcp__gitlab"], disallowedTools: ["mcp__github"] },
    [
      'warning tools-conflict at disallowedTools "mcp__github": `mcp__github` takes away `mcp__github__create_issue`, which `tools` grants: deny wins, so the agent does not have it. Remove it from one of the two lists.',
    ],
  ],
  [
    "every server taken away",
    { tools: ["Read", "mcp__github__create_issue"], disallowedTools: ["mcp__*"] },
    [
      'warning tools-conflict at disallowedTools "mcp__*": `mcp__*` takes away `mcp__github__create_issue`, which `tools` grants: deny wins, so the agent does not have it. Remove it from one of the two lists.',
    ],
  ],
  ["part of a tool taken away", { tools: ["Read", "Bash"], disallowedTools: ["Bash(rm:*)"] }, []],
  ["everything, less something", { tools: ["*"], disallowedTools: ["Bash"] }, []],
  [
    "two pairs of parentheses",
    { tools: ["Agent(agent-2)", "Agent(agent-3)"], around: { agents: [{}, {}] } },
    [
      'error tool-argument at tools "Agent(agent-3)": Agents are named in one pair of parentheses: hosts read only one of `Agent(agent-2)` or `Agent(agent-3)` and ignore the rest. Write `Agent(agent-2, agent-3)`.',
    ],
  ],
  [
    "parentheses that are not closed",
    { tools: "Read, Agent(agent-2, agent-3", around: { agents: [{}, {}] } },
    [
      'error tool-argument at tools "Agent(agent-2": "Agent(agent-2" names no tool: its parenthesis is not closed. Write it such as `Bash(git:*)` or `Agent(reviewer, tester)`.',
    ],
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
        `error tool-argument at ${key === "" ? "start" : `${key} "${text}"`}: There is nothing before the colon of "${text}", so it is not clear what is meant. Name it, or write \`${tool}\` for all.`,
    ),
  ],
  [
    "two pairs of parentheses in one entry, and a host that is left out",
    { tools: ["Bash(a)(b)"], disallowedTools: ["WebFetch(domain:)"] },
    [
      'error tool-argument at tools "Bash(a)(b)": "Bash(a)(b)" names no tool: something stands behind its parentheses. Write it such as `Bash(git:*)` or `Agent(reviewer, tester)`.',
      'error tool-argument at disallowedTools "WebFetch(domain:)": "WebFetch(domain:)" ends otherwise than `:*`, so it would be read to the letter. Write `WebFetch(domain:*)`.',
    ],
  ],
  [
    "empty parentheses",
    { tools: ["Read", "Agent()"] },
    [
      'error tool-argument at tools "Agent()": The parentheses of "Agent()" are empty: it is not clear whether none or all are meant. Name what is meant, or write `Agent` for all.',
    ],
  ],
])("tools: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})
