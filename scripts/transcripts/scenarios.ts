import type { Scenario } from "./play.ts"

const agent = (name: string, keys: readonly string[], text = "Do what you are told."): string =>
  ["---", `name: ${name}`, `description: The ${name}.`, ...keys, "---", "", text, ""].join("\n")
const script = (turns: object): string => `${JSON.stringify(turns, null, 2)}\n`
const call = (tool: string, input: object): object => ({ calls: [{ tool, input }] })
/** The user's own configuration: the scripted model, and none of the agents that ship. */
const mine = (...lines: string[]): string =>
  ["model: script:/home/ada/script.json", 'hide_built_in_agents: "*"', ...lines, ""].join("\n")
const configuration = ".config/cadre/config.yaml"
/** Agents of the user need no trust. */
const myAgent = (name: string): string => `.config/cadre/agents/${name}.md`

const sum = "export const sum = (a, b) => a - b\n"
const edit = call("Edit", { file_path: "src/sum.js", old_string: "a - b", new_string: "a + b" })
const read = call("Read", { file_path: "src/sum.js" })
const fixing = {
  [myAgent("fixer")]: agent("fixer", ["tools: [Read, Edit]"]),
  "repo/src/sum.js": sum,
  "script.json": script({ fixer: [read, edit, { text: "Fixed src/sum.js." }] }),
}
const bubblewrap = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"]

export const scenarios: Readonly<Record<string, Scenario>> = {
  nodes: {
    files: {
      "repo/src/parser.py":
        "class Parser:\n    def next(self):\n        return self.tokens.pop()\n\n\ndef parse(text):\n    return Parser()\n",
    },
    commands: ["cadre nodes src", "cadre nodes src --name 'Parser.*'"],
  },
  run: {
    files: { "repo/script.json": script({ explorer: [{ text: "In src/sum.js." }] }) },
    commands: ['cadre run explorer "Where are sums made?" --model script:script.json'],
  },
  list: {
    files: {
      [configuration]: mine(),
      "repo/.claude/agents/code-reviewer.md": agent("code-reviewer", ["tools: Read, Grep"]),
      "repo/.claude/agents/tester.md": agent("tester", ["tools: Read, Bsh"]),
    },
    commands: ["cadre list", "cadre check"],
  },
  trust: {
    files: { "repo/.claude/agents/fixer.md": agent("fixer", ["tools: Read, Grep, Edit"]) },
    commands: [
      'cadre run fixer "Fix the sum"',
      "cadre trust --yes",
      "sed -i 's/Edit/Edit, Bash/' .claude/agents/fixer.md",
      "cadre trust",
    ],
  },
  rules: {
    files: {
      [configuration]: mine(
        "sandbox: off",
        "permissions:",
        '  allow: ["Bash(cat:*)"]',
        '  deny: ["Read(**/.env)"]',
      ),
      [myAgent("fixer")]: agent("fixer", ["tools: [Bash]"]),
      "repo/.env": "KEY=secret\n",
      "script.json": script({
        fixer: [call("Bash", { command: "cat .env" }), { text: "I may not read .env." }],
      }),
    },
    commands: ['cadre run fixer "What is in .env?"'],
  },
  modes: {
    files: { [configuration]: mine(), ...fixing },
    commands: [
      'cadre run fixer "Fix the sum" --mode plan',
      'cadre run fixer "Fix the sum" --mode default',
      "echo $?",
      'cadre run fixer "Fix the sum" --mode accept-edits',
    ],
  },
  sandbox: {
    skipWhere: bubblewrap,
    files: {
      [configuration]: mine("sandbox: required", "permissions:", '  allow: ["Bash(npm test)"]'),
      [myAgent("tester")]: agent("tester", ["tools: [Bash]"]),
      "script.json": script({
        tester: [call("Bash", { command: "npm test" }), { text: "I could not run the tests." }],
      }),
    },
    commands: ["cadre doctor | grep bubblewrap", 'cadre run tester "Run the tests"'],
  },
  delegation: {
    files: {
      [configuration]: mine("sandbox: off", "permissions:", '  allow: ["Bash(npm test)", Agent]'),
      [myAgent("lead")]: agent("lead", ["tools: [Read, 'Agent(tester)']"]),
      [myAgent("tester")]: agent("tester", ["tools: [Read, Bash]"]),
      "repo/package.json": '{ "scripts": { "test": "echo 12 passed" } }\n',
      "script.json": script({
        lead: [call("Agent", { subagent_type: "tester", prompt: "Run the tests." }), { text: "All green." }],
        tester: [call("Bash", { command: "npm test" }), { text: "12 passed." }],
      }),
    },
    commands: ["cadre show lead | grep Reaches", 'cadre run lead "Have the tests run"', "cadre log last"],
  },
  approve: {
    files: { [configuration]: mine(), ...fixing },
    commands: [
      'cadre run fixer "Fix the sum"',
      "cadre approve last --list",
      "cadre approve last",
      "cadre resume last",
    ],
  },
  question: {
    files: { [configuration]: mine(), ...fixing },
    commands: ['cadre run fixer "Fix the sum"'],
    terminal: { columns: 100, answers: ["a"] },
  },
  resume: {
    files: {
      [configuration]: mine("mode: accept-edits"),
      ...fixing,
      "script.json": script({ fixer: [read, { ...edit, delayMs: 60_000 }, { text: "Fixed src/sum.js." }] }),
    },
    commands: [
      'timeout -s KILL 6 cadre run fixer "Fix the sum"',
      " sed -i /delayMs/d /home/ada/script.json; sed -i 's/],$/]/' /home/ada/script.json",
      "cadre runs",
      "cadre resume last",
    ],
  },
  explain: {
    files: {
      [configuration]: mine("permissions:", "  deny: [Bash]"),
      [myAgent("lead")]: agent("lead", ["tools: [Read, Agent]"]),
      [myAgent("tester")]: agent("tester", ["tools: [Read, Bash]", "limits: { maxTurns: 7 }"]),
      "script.json": script({}),
    },
    commands: ["cadre explain tester --parent lead | grep -A 1 -E '^(model|Read|Bash|maxTurns) '"],
  },
  "dry-run": {
    files: { "repo/.claude/agents/fixer.md": agent("fixer", ["tools: Read, Edit"]) },
    commands: ['cadre run fixer "Fix the sum" --dry-run | head -3'],
  },
  check: {
    files: {
      [configuration]: mine(),
      "repo/.claude/agents/tester.md":
        "---\nname: tester\ndescription: Runs tests: all of them\ntools: Read, Bsh\n---\n\nRun the tests.\n",
    },
    commands: ["cadre check", "cadre check --fix"],
  },
  hook: {
    files: {
      [configuration]: mine("sandbox: off", "mode: bypass"),
      [myAgent("cleaner")]: agent("cleaner", ["tools: [Bash]"]),
      ".config/cadre/lifecycles/safe.yaml":
        'on_before_tool:\n  - when: tool_name == "Bash" and "rm" in command.split()\n    block: Nothing is removed here.\n',
      "script.json": script({
        cleaner: [call("Bash", { command: "rm -r build" }), { text: "I may not remove it." }],
      }),
    },
    commands: ["cadre explain cleaner --hooks", 'cadre run cleaner "Clean up"'],
  },
  log: {
    files: {
      [configuration]: mine(
        "sandbox: off",
        "permissions:",
        '  allow: ["Bash(node:*)"]',
        '  deny: ["Read(**/.env)"]',
      ),
      [myAgent("fixer")]: agent("fixer", ["tools: [Bash, Read]"]),
      "repo/.env": "KEY=secret\n",
      "repo/check.js": "process.exit(1)\n",
      "script.json": script({
        fixer: [
          call("Read", { file_path: ".env" }),
          call("Bash", { command: "node check.js" }),
          { text: "All checks pass." },
        ],
      }),
    },
    commands: ['cadre run fixer "Check it"', "cadre log last"],
  },
  diff: {
    files: { [configuration]: mine("mode: accept-edits"), ...fixing },
    commands: [
      'cadre run fixer "Fix the sum"',
      "cadre diff last",
      "cadre undo last --yes",
      "cadre undo last --yes",
    ],
  },
  "stop-hook": {
    files: {
      [configuration]: mine(),
      [myAgent("writer")]:
        "---\nname: writer\ndescription: Writes.\nhooks:\n  on_stop:\n    - when: \"'TODO' in output\"\n      block: Finish what is marked TODO.\n---\n\nWrite.\n",
      "script.json": script({ writer: [{ text: "TODO: the text." }, { text: "The text." }] }),
    },
    commands: ['cadre run writer "Write it"', "cadre log last"],
  },
  workflow: {
    files: {
      [configuration]: mine("mode: accept-edits"),
      [myAgent("builder")]: [
        "---",
        "name: builder",
        "description: Plans, then builds.",
        "tools: [Read, Write, WebFetch]",
        "workflow:",
        "  steps:",
        "    - name: plan",
        "      allowed_tools: [Read, Write]",
        "      transitions: [{ to: build, when: 'tool_name == \"Write\"' }]",
        "    - name: build",
        "---",
        "",
        "Plan, then build.",
        "",
      ].join("\n"),
      "script.json": script({
        builder: [
          call("WebFetch", { url: "https://example.com" }),
          call("Write", { file_path: "PLAN.md", content: "1. Build." }),
          { text: "Built." },
        ],
      }),
    },
    commands: ['cadre run builder "Build it"'],
  },
  pipeline: {
    files: {
      [configuration]: mine("permissions:", "  allow: [Agent]"),
      [myAgent("reviewer")]: agent("reviewer", ["tools: [Read]"]),
      [myAgent("writer")]: agent("writer", ["tools: []"]),
      ".config/cadre/agents/review-all.yaml": `name: review-all
description: Reviews files and sums it up.
inputs: { paths: "string[]", goal: string }
pipeline:
  - id: reviews
    map: inputs.paths
    as: path
    agent: reviewer
    prompt: "Review {{ path }} for {{ inputs.goal }}."
  - id: summary
    agent: writer
    prompt: |
      Sum up:
      {% for review in steps.reviews.value %}- {{ review }}
      {% endfor %}
`,
      "script.json": script({
        reviewer: [
          { match: "a.ts", text: "a.ts is fine." },
          { match: "b.ts", text: "b.ts has a bug." },
        ],
        writer: [{ text: "One of two files has a bug." }],
      }),
    },
    commands: [`cadre run review-all --input goal=bugs --input 'paths=["a.ts", "b.ts"]'`],
  },
  models: { files: {}, commands: ["cadre models sonnet", "cadre models sonet"] },
  executor: {
    files: {
      [configuration]: mine(
        "executors:",
        "  shout: { command: [tr, a-z, A-Z], sandbox: off }",
        "permissions:",
        '  allow: ["Executor(shout)"]',
      ),
      [myAgent("herald")]: agent("herald", ["executor: shout"], "Say it loud."),
    },
    commands: ['cadre run herald "The tests pass."'],
  },
  worktree: {
    files: {
      [configuration]: mine("mode: accept-edits"),
      ...fixing,
      [myAgent("fixer")]: agent("fixer", ["tools: [Read, Edit]", "isolation: worktree"]),
    },
    before: ["git add . && git -c user.name=Ada -c user.email=ada@example.com commit -qm Start"],
    commands: ['cadre run fixer "Fix the sum"', "git status --short", "git branch --list 'cadre/*'"],
  },
  result: {
    files: {
      [configuration]: mine(),
      [myAgent("judge")]: agent("judge", [
        "tools: []",
        "output:",
        "  type: object",
        "  properties: { verdict: { enum: [pass, fail] } }",
        "  required: [verdict]",
      ]),
      "script.json": script({
        judge: [call("submit_result", { verdict: "maybe" }), call("submit_result", { verdict: "pass" })],
      }),
    },
    commands: ['cadre run judge "Judge it"'],
  },
  postcondition: {
    files: {
      [configuration]: mine("mode: accept-edits"),
      [myAgent("scribe")]: agent("scribe", [
        "tools: [Write]",
        "postconditions:",
        "  - file: CHANGELOG.md",
        '    contains: "## 2.1.0"',
      ]),
      "script.json": script({
        scribe: [
          { text: "Done." },
          call("Write", { file_path: "CHANGELOG.md", content: "## 2.1.0\n" }),
          { text: "Now it is done." },
        ],
      }),
    },
    commands: ['cadre run scribe "Note the release"'],
  },
  cache: {
    files: {
      [configuration]: mine(),
      [myAgent("licence-check")]: agent("licence-check", [
        "tools: [Read]",
        "cache: { inputs: [package.json] }",
      ]),
      "repo/package.json": "{}\n",
      "script.json": script({ "licence-check": [{ text: "All MIT." }] }),
    },
    commands: ['cadre run licence-check "Check"', 'cadre run licence-check "Check"'],
  },
  show: {
    files: {
      [configuration]: mine(),
      [myAgent("reviewer")]: agent(
        "reviewer",
        ["tools: [Read]", "context: { files: [docs/style.md] }"],
        "You review code.",
      ),
      "repo/docs/style.md": "Two spaces.\n",
    },
    commands: ['cadre show reviewer --task "Review src/"'],
  },
  prune: {
    files: { [configuration]: mine("mode: accept-edits"), ...fixing },
    before: ['cadre run fixer "Fix the sum"'],
    commands: ["cadre runs", "cadre runs prune --older-than 30d --dry-run", "cadre runs remove last"],
  },
  mcp: {
    files: {
      [configuration]: mine(
        "mcpServers:",
        "  files:",
        "    command: node",
        "    args: [/usr/lib/node_modules/cadre/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js, /home/ada/notes]",
        "    sandbox: off",
        "permissions:",
        "  allow: [mcp__files__*]",
      ),
      [myAgent("sorter")]: agent("sorter", ["tools: [mcp__files__*]"]),
      "notes/monday.txt": "Call Ben.\n",
      "script.json": script({
        sorter: [call("mcp__files__list_directory", { path: "/home/ada/notes" }), { text: "One note." }],
      }),
    },
    commands: ['cadre run sorter "Which notes are there?"'],
  },
  fallback: {
    files: {
      [configuration]: mine(),
      [myAgent("quick-review")]: agent("quick-review", ["tools: []", "fallback: [careful-review]"]),
      [myAgent("careful-review")]: agent("careful-review", ["tools: []"]),
      "script.json": script({
        "quick-review": [{ text: "" }, { text: "" }],
        "careful-review": [{ text: "Fine." }],
      }),
    },
    commands: ['cadre run quick-review "Review it"'],
  },
}
