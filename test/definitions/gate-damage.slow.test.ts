import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { GobbyWorld, lifecycle } from "./gobby-kit.ts"

let world: GobbyWorld
beforeEach(() => {
  world = new GobbyWorld()
})
afterEach(() => world.remove())

const inAMap = `  on_before_tool:
    action: block_tools
    rules:
      - tools: [Bash]
        reason: "No."
`

/** One slip in the text, which must be there. */
const slip =
  (from: string | RegExp, to: string) =>
  (text: string): string => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${from} is not there`)
    return changed
  }

/** What keeps a file of Gobby's from being understood, and where it is told. */
const slips: readonly (readonly [string, (text: string) => string, RegExp])[] = [
  ["a quote that is not closed", slip('session"', "session"), /:\d+:\d+: .*\(yaml-invalid\)/],
  ["a quote that is not closed, further down", slip("') }}.\"", "') }}."), /:\d+:\d+: .*yaml/],
  [
    "`blok:` in place of an action",
    slip("action: block_tools\n      rules:", "blok:"),
    /There is no effect "blok"/,
  ],
  [
    "a map in place of a list",
    slip(/ {2}on_before_tool:[\s\S]*(?= {2}on_after_tool)/, inAMap),
    /`on_before_tool` must be a list/,
  ],
  [
    "`before_tool:` below triggers",
    slip("on_before_tool:", "before_tool:"),
    /:\d+:3: there is no event "before_tool"\. Write `on_before_tool`/,
  ],
  [
    "`before_tool:` at the top",
    slip("triggers:\n", "before_tool: []\ntriggers:\n"),
    /"before_tool" is not a key.*`on_before_tool`/,
  ],
  [
    "a list at the root",
    (text) =>
      text
        .split("\n")
        .map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
        .join("\n"),
    /:1:1: .*must be keys and values/,
  ],
  ["a text at the root", () => "block everything\n", /:1:1: .*must be keys and values/],
  ["an empty file", () => "", /:1:1: this file is empty/],
  ["a file of comments alone", (text) => text.replace(/^/gm, "# "), /this file is empty/],
  [
    "a file that was cut off",
    (text) => text.slice(0, text.indexOf("variables:")),
    /no `triggers`, no `steps`/,
  ],
  [
    "an action that is misspelled",
    slip("block_tools", "block_tool"),
    /:\d+:15: there is no action "block_tool"\. Did you mean "block_tools"\?/,
  ],
  [
    "an event that is misspelled",
    slip("on_before_tool", "on_before_tol"),
    /there is no event "on_before_tol"\. Did you mean "on_before_tool"\?/,
  ],
  [
    "a key of a rule that is misspelled",
    slip("command_pattern", "comand_pattern"),
    /has no "comand_pattern"\. Did you mean "command_pattern"\?/,
  ],
  [
    "`tool:` in place of `tools:`",
    slip("- tools: [Bash]", "- tool: [Bash]"),
    /has no "tool"\. Did you mean "tools"\?/,
  ],
  ["tools that are a map", slip("- tools: [Bash]", "- tools: {Bash: true}"), /names must be text/],
  [
    "a tool that is misspelled",
    slip("- tools: [Bash]", "- tools: [Bahs]"),
    /No tool is named "Bahs".*Did you mean "Bash"/,
  ],
  ["a tool that is nobody's, and no slip", slip("- tools: [Bash]", "- tools: [Terminal]"), /"Terminal"/],
  ["a tool with more to its name", slip("- tools: [Bash]", "- tools: [bash_command]"), /"bash_command"/],
  [
    "a tool with arguments",
    slip("- tools: [Bash]", '- tools: ["Bash(touch:*)"]'),
    /"Bash\(touch:\*\)" matches no tool.*command_pattern/,
  ],
  ["tools with a slash between them", slip("- tools: [Bash]", "- tools: [Edit/Bash]"), /"Edit\/Bash"/],
  [
    "a value that Gobby reads otherwise",
    slip("require_plan: true", "require_plan: yes"),
    /:9:17: Gobby reads `yes` as true/,
  ],
  ["a number that Gobby reads otherwise", slip("max_looks: 2", "max_looks: 010"), /Gobby reads `010`/],
  ["no source at all", slip("[claude, gemini, codex]", "[]"), /`sources` names no program/],
  [
    "a key that no event has",
    slip("require_plan and ", "event.nonsense == 'x' and "),
    /`event` has no "nonsense" here/,
  ],
  [
    "a key that the data of no event have",
    slip("require_plan and ", "event.data.get('tool_nam') == 'x' and "),
    /`event\.data` has no "tool_nam" here\. Did you mean "tool_name"\?/,
  ],
  [
    "a key that no event_data have",
    slip("require_plan and ", "event_data['toolname'] == 'x' and "),
    /`event_data` has no "toolname" here/,
  ],
  [
    "a key that no session has",
    slip("require_plan and ", "session.get('nope') == 'x' and "),
    /`session` has no "nope" here/,
  ],
  [
    "no tools at all",
    slip("        - tools: [Bash]\n          command", "        - command"),
    /needs `tools` or `mcp_tools`/,
  ],
  ["an empty list of tools", slip("- tools: [Bash]", "- tools: []"), /`tools` is empty.*hook-invalid/],
  ["a pattern that is none", slip('"\\\\btouch', '"(\\\\btouch'), /unsupported regular expression/],
  [
    "a condition that is none",
    slip("require_plan and ", "require_plan and and "),
    /:\d+:\d+: .*\(hook-invalid\)/,
  ],
  [
    "a name that is misspelled",
    slip("require_plan and", "requir_plan and"),
    /Unknown name "requir_plan".*Did you mean "require_plan"\?/,
  ],
  ["a function that is nobody's", slip("require_plan and", "no_plan() and"), /Unknown name "no_plan"/],
  [
    "a condition that is a list",
    slip(/when: "require_plan.*"/, "when: [require_plan]"),
    /a condition must be text/,
  ],
  [
    "a template that is none",
    slip("{{ tool_input.get('command') }}", "{{ tool_input.get('command' }}"),
    /\(hook-invalid\)/,
  ],
  [
    "rules that are a map",
    slip("      rules:\n        - tools: [Bash]", "      rules:\n          tools: [Bash]"),
    /:\d+:\d+: .*/,
  ],
  [
    "triggers that are a list",
    slip(/triggers:\n {2}on_session_start:[\s\S]*/, "triggers:\n  - action: block_tools\n"),
    /`triggers` must be lists/,
  ],
  [
    "`trigger:` in place of `triggers:`",
    slip("triggers:", "trigger:"),
    /"trigger" is not a key.*"triggers"\?/,
  ],
  ["`enabled:` that is a word", slip("enabled: true", "enabled: yep"), /`enabled` must be true or false/],
  ["`enabled:` in quotes", slip("enabled: true", 'enabled: "false"'), /`enabled` must be true or false/],
  [
    "a source that nobody is",
    slip("[claude, gemini, codex]", "[cluade]"),
    /there is no source "cluade"\. Did you mean "claude"\?/,
  ],
  ["a priority that is a word", slip("priority: 10", "priority: high"), /`priority` must be a number/],
  [
    "a key twice",
    slip("triggers:", "triggers: {}\ntriggers:"),
    /:\d+:\d+: .*\((?:key-duplicate|yaml-invalid)\)/,
  ],
  ["a tab in front of a line", slip("    - action: block_tools", "\t- action: block_tools"), /yaml/],
  ["a file that it extends", slip("enabled: true", "extends: base"), /`extends` is not supported/],
  [
    "a file of the third generation",
    () =>
      "tags: [a]\nrules:\n  no-touch:\n    event: before_tool\n    effects: [{ type: block, reason: No. }]\n",
    /third generation/,
  ],
  ["an agent in its place", () => "name: x\nrole: A role\ninstructions: Do it.\n", /"role" is not a key/],
  ["triggers with nothing below them", slip(/triggers:\n[\s\S]*/, "triggers:\n"), /`triggers` must be lists/],
  ["triggers that are empty", slip(/triggers:\n[\s\S]*/, "triggers: {}\n"), /`triggers` must be lists/],
  [
    "an event with nothing below it",
    slip(/ {2}on_before_tool:[\s\S]*/, "  on_before_tool: []\n"),
    /is empty/,
  ],
  ["no rule at all", slip("triggers:", "tool_rules: []\ntriggers:"), /at least one rule/],
  ["a pipeline with triggers", slip("enabled: true", "type: pipeline"), /a pipeline has no `observers`/],
  [
    "a call whose gate is misspelled",
    slip("    - action: memory_sync_import", "    - action: mcp_call\n      block_on_failur: true"),
    /`mcp_call` has no "block_on_failur"/,
  ],
  [
    "a gate that asks for what nobody has worked out",
    slip(
      "    - action: memory_sync_import",
      "    - action: call_llm\n      output_as: verdict\n    - action: block\n      when: \"'unsafe' in (variables.get('verdict') or '')\"\n      reason: x",
    ),
    /`verdict` would be set.*not supported/,
  ],
  ["a gate that would never be asked", slip("on_before_tool:", "on_pre_compact:"), /\(hook-invalid\)/],
]

describe("nothing starts under a file of Gobby's that is not understood in full", () => {
  test.each(slips)("%s", async (_, damage, told) => {
    world.put(`work/${world.file}`, damage(lifecycle))
    const { code, stderr } = await world.run("--trust")
    expect([code, world.isTouched]).toEqual([1, false])
    expect(stderr).toMatch(/A hook file is invalid, so no run starts/)
    expect(stderr).toMatch(/\.gobby\/workflows\/lifecycle\/house-rules\.yaml:\d+:\d+: /)
    expect(stderr).toMatch(told)
  })

  test.each<[string, (file: string) => void, RegExp]>([
    [
      "a folder in its place",
      (file) => void (rmSync(file), mkdirSync(file)),
      /house-rules\.yaml:1:1: This is a folder/,
    ],
    [
      "a link that leads nowhere",
      (file) => void (rmSync(file), symlinkSync("/nowhere/at/all", file)),
      /house-rules\.yaml:1:1: The file cannot be read/,
    ],
    [
      "a link that leads out",
      (file) =>
        void (renameSync(file, path.join(world.base, "out.yaml")),
        symlinkSync(path.join(world.base, "out.yaml"), file)),
      /house-rules\.yaml:1:1: .*out of the project/,
    ],
    [
      "another encoding",
      (file) => writeFileSync(file, Buffer.from(lifecycle, "utf16le")),
      /house-rules\.yaml:\d+:\d+: .*(?:not UTF-8|UTF-16|NUL|null|control)/i,
    ],
    [
      "bytes that are no text",
      (file) => writeFileSync(file, Buffer.concat([Buffer.from(lifecycle), Buffer.from([0xff, 0xfe])])),
      /not UTF-8/,
    ],
    [
      "a file that is too large",
      (file) => writeFileSync(file, `${lifecycle}# ${"x".repeat(1_100_000)}\n`),
      /a definition may have/,
    ],
    [
      "another ending: .json",
      (file) => renameSync(file, file.replace(/yaml$/, "json")),
      /house-rules\.json:1:1: This file is not read.*gate-name/,
    ],
    [
      "another ending: .yaml.txt",
      (file) => renameSync(file, `${file}.txt`),
      /house-rules\.yaml\.txt:1:1: This file is not read/,
    ],
    [
      "no ending",
      (file) => renameSync(file, file.replace(/\.yaml$/, "")),
      /house-rules:1:1: This file is not read/,
    ],
    [
      "another ending: .yam",
      (file) => renameSync(file, file.replace(/yaml$/, "yam")),
      /house-rules\.yam:1:1: /,
    ],
    [
      "a copy with a number, and broken",
      (file) => void (renameSync(file, `${file}.1`), writeFileSync(`${file}.1`, "x: [")),
      /house-rules\.yaml\.1:1:1: This file is not read/,
    ],
    [
      "a link to nothing in place of its folder",
      (file) =>
        void (rmSync(path.dirname(file), { recursive: true }),
        symlinkSync("/nowhere/at/all", path.dirname(file))),
      /\.gobby\/workflows\/lifecycle:1:1: /,
    ],
    [
      "a file in place of its own folder",
      (file) =>
        void (rmSync(path.dirname(file), { recursive: true }), writeFileSync(path.dirname(file), "x")),
      /\.gobby\/workflows\/lifecycle:1:1: /,
    ],
    [
      "a link to nothing in the home folder",
      () => symlinkSync("/nowhere/at/all", path.join(world.base, "home/.gobby")),
      /home\/\.gobby:1:1: .*cannot be listed.*\(gate-folder\)/,
    ],
    [
      "another name of its folder",
      (file) =>
        renameSync(
          path.dirname(path.dirname(file)),
          path.join(path.dirname(path.dirname(path.dirname(file))), "workflow"),
        ),
      /\.gobby\/workflow:1:1: cadre does not read `\.gobby\/workflow`/,
    ],
    [
      "a file in place of its folder",
      (file) =>
        void (rmSync(path.dirname(file), { recursive: true }),
        rmSync(path.dirname(path.dirname(file)), { recursive: true }),
        writeFileSync(path.dirname(path.dirname(file)), "x")),
      /\.gobby\/workflows:1:1: .*cannot be listed.*\(gate-folder\)/,
    ],
    [
      "a folder that is a link to nothing",
      (file) =>
        void (rmSync(path.dirname(path.dirname(file)), { recursive: true }),
        symlinkSync("/nowhere/at/all", path.dirname(path.dirname(file)))),
      /\.gobby\/workflows:1:1: .*cannot be listed.*\(gate-folder\)/,
    ],
  ])("nor under one that cannot be read: %s", async (_, damage, told) => {
    damage(path.join(world.work, world.file))
    const { code, stderr } = await world.run("--trust")
    expect([code, stderr, world.isTouched]).toEqual([1, expect.stringMatching(told), false])
  })

  test.skipIf(process.getuid?.() === 0)("nor under one that nobody may read", async () => {
    chmodSync(path.join(world.work, world.file), 0)
    const { code, stderr } = await world.run("--trust")
    expect([code, stderr, world.isTouched]).toEqual([1, expect.stringMatching(/cannot be read/), false])
  })

  test.each([
    "event.get('tool_name') == 'Bash'",
    "event['tool_name'] == 'Bash'",
    "'touch' in event.get('tool_input', {}).get('command', '')",
    "event.data.get('tool_name') == 'Bash'",
    "event.event_type.value == 'before_tool'",
    "event.event_type == 'before_tool'",
    "event.source == 'claude' and event.source.value == 'claude'",
    "command > 3",
  ])("a rule sees its event as Gobby has it, and blocks where it fails: %s", async (when) => {
    world.put(`work/${world.file}`, slip(/when: "require_plan.*"/, `when: "${when}"`)(lifecycle))
    expect([(await world.run("--trust")).code, world.isTouched]).toEqual([0, false])
  })

  test.each([
    ["t{,3}ouch", "touch forbidden"],
    ["[]t]ouch", "touch forbidden"],
    ["x{0,1000}touch", "touch forbidden"],
    ["[a-z]+ \\\\w+é", "touch forbiddené"],
  ])("a pattern is read as Python reads it: %s", async (pattern, command) => {
    world.put(`work/${world.file}`, slip(/command_pattern: .*/, `command_pattern: "${pattern}"`)(lifecycle))
    world.script({ worker: [{ calls: [{ tool: "Bash", input: { command } }] }, { text: "Done." }] })
    const { stderr } = await world.run("--trust")
    expect(stderr).toContain("Not permitted: No touching of")
  })

  test("a file that was put aside, a note and a script are none", async () => {
    for (const name of [
      "old.yaml.bak",
      "house-rules.yaml~",
      "README.md",
      "notes.txt",
      "check.sh",
      ".hidden.yaml",
    ])
      world.put(`work/.gobby/workflows/${name}`, "steps: broken: [\n")
    expect((await world.run("--trust")).code).toBe(0)
  })

  test("whoever would start a run is told the same, and check has its words, its place and its code", async () => {
    world.script({
      worker: [{ calls: [{ tool: "Bash", input: { command: "ls" } }] }, { text: "Done." }],
      "validation-runner": [{ text: "Done." }],
    })
    await world.cadre("trust", "--yes")
    const resting = await world.json("run", "worker", "Go.", ...world.model)
    expect(resting.code).toBe(7)
    world.put(`work/${world.file}`, slip("block_tools", "block_tool")(lifecycle))
    await world.cadre("trust", "--yes")
    const [found] = JSON.parse((await world.cadre("check", "--json")).stdout).diagnostics.filter(
      ({ severity }: { severity: string }) => severity === "error",
    )
    const { start } = found.range
    const said = `${found.file}:${start.line}:${start.column}: ${found.message} (${found.code})`
    expect(said).toMatch(
      /^\.gobby\/workflows\/lifecycle\/house-rules\.yaml:\d+:15: there is no action.*\(hook-invalid\)$/,
    )
    const words = ["worker", "Go.", ...world.model]
    for (const command of [
      ["run", ...words],
      ["run", "--trust", ...words],
      ["run", "--dry-run", ...words],
      ["resume", resting.result.id],
      ["resume", "--all"],
      ["approve", resting.result.id, "--resume"],
      ["explain", "worker", ...world.model],
    ]) {
      const { code, stdout, stderr } = await world.cadre(...command)
      expect([command[0], code, (stdout + stderr).replaceAll(/\s+/g, " ")]).toEqual([
        command[0],
        1,
        expect.stringContaining(said.replaceAll(/\s+/g, " ")),
      ])
    }
    expect((await world.cadre("doctor")).stdout).toContain(found.message.slice(0, 40))
  })

  test("no level of a rule makes less of it", async () => {
    world.put("work/.cadre/config.yaml", "rules: { hook-invalid: off, yaml-invalid: off }\n")
    world.put(`work/${world.file}`, slip("block_tools", "block_tool")(lifecycle))
    expect([(await world.run("--trust")).code, world.isTouched]).toEqual([1, false])
    expect((await world.cadre("check")).stdout).toContain("error hook-invalid")
  })

  test("a project that nobody has trusted keeps nobody from running agents of their own", async () => {
    world.put(`work/${world.file}`, "- broken\n")
    world.agent("own")
    world.script({ own: [{ text: "Hi." }] })
    const words = ["run", "own", "Go.", ...world.model]
    expect((await world.cadre(...words)).code).toBe(0)
    await world.cadre("trust", "--yes")
    expect((await world.cadre(...words)).code).toBe(1)
  })

  test("once a project is trusted, also a file that came later and cannot be read keeps runs from starting", async () => {
    await world.cadre("trust", "--yes")
    world.put("work/.gobby/workflows/new.yaml", "triggers: [\n")
    const { code, stderr } = await world.run()
    expect([code, stderr]).toEqual([1, expect.stringContaining(".gobby/workflows/new.yaml:")])
  })
})

describe("the same of cadre's own files, and of the user's", () => {
  const gate = "before_tool:\n  - tools: Bash\n    when: '\"touch\" in command'\n    block: No touching.\n"
  const steps = "steps:\n  - name: only\n    blocked_tools: [Bash]\n"
  const places: readonly (readonly [string, string, string])[] = [
    ["the project's hooks", "work/.cadre/lifecycles/gate.yaml", gate],
    ["the user's hooks", "config/lifecycles/gate.yaml", gate],
    ["the project's workflows", "work/.cadre/workflows/steps.yaml", steps],
    ["the user's workflows", "config/workflows/steps.yaml", steps],
    ["the user's files of Gobby's", "home/.gobby/workflows/gate.yaml", lifecycle],
    ["the user's lifecycle files of Gobby's", "home/.gobby/workflows/lifecycle/gate.yaml", lifecycle],
  ]
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ["YAML that is none", (file) => writeFileSync(file, `${readFileSync(file, "utf8")}x: [\n`)],
    ["a key that is nobody's", (file) => writeFileSync(file, `${readFileSync(file, "utf8")}blok: x\n`)],
    ["a list at the root", (file) => writeFileSync(file, "- a\n- b\n")],
    ["nothing", (file) => writeFileSync(file, "")],
    ["a folder", (file) => void (rmSync(file), mkdirSync(file))],
    ["a link to nothing", (file) => void (rmSync(file), symlinkSync("/nowhere/at/all", file))],
    ["another ending", (file) => renameSync(file, file.replace(/yaml$/, "json"))],
  ]
  test.each(
    places.flatMap(([what, file, text]) =>
      damages.map(([how, damage]) => [what, how, file, text, damage] as const),
    ),
  )("%s: %s", async (_, __, file, text, damage) => {
    rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true })
    world.put(file, text)
    damage(path.join(world.base, file))
    const { code, stderr } = await world.run("--trust")
    expect([code, world.isTouched]).toEqual([1, false])
    expect(stderr).toMatch(new RegExp(`${path.basename(file, ".yaml")}\\.(?:yaml|json):\\d+:\\d+: `))
  })

  test.each([
    ["tools that are a map", gate.replace("tools: Bash", "tools: { Bash: true }"), /names must be text/],
    ["tools that are a number", gate.replace("tools: Bash", "tools: [7]"), /names must be text/],
    ["a tool that is misspelled", gate.replace("tools: Bash", "tools: Bahs"), /No tool is named "Bahs"/],
    ["a slip after a space", gate.replace("tools: Bash", "tools: Edit Bahs"), /No tool is named "Bahs"/],
    ["a slip beside a pattern", gate.replace("tools: Bash", 'tools: "Ed.*|Bahs"'), /is named "Bahs"/],
    [
      "a pattern of nobody",
      gate.replace("tools: Bash", 'tools: "Edit|Bahs.*"'),
      /"Bahs\.\*" matches no tool/,
    ],
    ["a semicolon", gate.replace("tools: Bash", 'tools: "Edit;Bash"'), /"Edit;Bash" matches no tool/],
    ["arguments", gate.replace("tools: Bash", 'tools: "Bash(touch *)"'), /some of its arguments/],
    ["a slip of an agent", gate.replace("tools: Bash", "agents: wroker"), /No agent is named "wroker"/],
    ["an agent that is nobody", gate.replace("tools: Bash", "agents: zzz"), /No agent is named "zzz"/],
    [
      "a slip of an agent in its condition",
      gate.replace(/when: .*/, "when: agent == 'wroker'"),
      /No agent is named "wroker"/,
    ],
    [
      "an event that is misspelled",
      gate.replace("before_tool", "befor_tool"),
      /There is no event "befor_tool"/,
    ],
    ["nothing but a name", "name: x\ndescription: y\n", /this file has no hooks/],
    ["nothing at all", "{}\n", /this file has no hooks/],
    ["an empty map of hooks", "hooks: {}\n", /this file has no hooks/],
    ["an empty list of hooks", "hooks: []\n", /this file has no hooks/],
    ["an event without any", "before_tool: []\n", /`before_tool` has no hooks/],
    ["a folder that nobody looks into", "", /nested:1:1: This folder is not read.*\(gate-folder\)/],
  ])("a hook with %s", async (_, text, told) => {
    rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true })
    world.put(`work/.cadre/lifecycles/${text === "" ? "nested/" : ""}gate.yaml`, text || gate)
    const { code, stderr } = await world.run("--trust")
    expect([code, stderr, world.isTouched]).toEqual([1, expect.stringMatching(told), false])
  })

  test.each([
    ["spaces", "tools: Edit Bash"],
    ["spaces around bars", "tools: Edit | Bash"],
    ["commas and spaces", "tools: Edit,  Bash"],
    ["a pattern and a space", 'tools: "Ed.* Bash"'],
    ["another host's name beside a pattern", 'tools: "Ed.*|shell"'],
    ["a list of such", "tools: [Edit Read, Write Bash]"],
  ])("tools with %s between them are all meant", async (_, tools) => {
    rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true })
    world.put("work/.cadre/lifecycles/gate.yaml", gate.replace("tools: Bash", tools))
    const { code, stderr } = await world.run("--trust")
    expect([code, stderr, world.isTouched]).toEqual([0, expect.stringMatching(/No touching/), false])
  })

  test("a user's hook may be for an agent of another project, and not for a slip of one that is here", async () => {
    rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true })
    world.put("config/lifecycles/gate.yaml", gate.replace("tools: Bash", "agents: deployer"))
    expect((await world.run("--trust")).code).toBe(0)
    world.put("config/lifecycles/gate.yaml", gate.replace("tools: Bash", "agents: wroker"))
    expect((await world.run("--trust")).code).toBe(1)
  })
})

describe("the same of the hooks in a definition", () => {
  const hooks = (matcher: string) =>
    `hooks:\n  PreToolUse:\n    - matcher: ${matcher}\n      hooks:\n        - { type: command, command: exit 2 }\n`
  // No agent that ships is called so, which could be used in its place.
  const started = async (keys: string) => {
    world.put(
      "work/.claude/agents/gated.md",
      `---
name: gated
description: Works.
${keys}---

Work.
`,
    )
    world.script({
      gated: [{ calls: [{ tool: "Bash", input: { command: "touch forbidden" } }] }, { text: "Done." }],
    })
    return world.cadre("run", "gated", "Go.", "--yes", "--trust", ...world.model)
  }
  beforeEach(() => rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true }))

  test.each([
    ["a matcher that is misspelled", hooks("Bahs"), "6:16", /No tool is named "Bahs"/],
    ["a matcher with arguments", hooks('"Bash(touch:*)"'), "6:17", /some of its arguments/],
    ["`hook:`", hooks("Bash").replace("hooks:", "hook:"), "4:1", /Did you mean `hooks`\?/],
    ["`Hooks:`", hooks("Bash").replace("hooks:", "Hooks:"), "4:1", /Did you mean `hooks`\?/],
  ])("%s", async (_, keys, place, told) => {
    const { code, stderr } = await started(keys)
    expect([code, stderr, world.isTouched]).toEqual([1, expect.stringMatching(told), false])
    const { stdout } = await world.cadre("check")
    expect(stdout).toContain(`gated.md:${place}`)
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(told)
    expect(stdout).toContain("1 error")
  })

  test("one that is right blocks", async () => {
    expect([(await started(hooks("Bash"))).code, world.isTouched]).toEqual([4, false])
  })
})

describe("the same of files that are nearly called as they must be", () => {
  const gate = "before_tool:\n  - tools: Bash\n    block: No touching.\n"
  beforeEach(() => rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true }))

  test.each([
    ".cadre/lifecycle/gate.yaml",
    ".cadre/Lifecycles/gate.yaml",
    ".cadre/hooks/gate.yaml",
    ".cadre/hooks.yaml",
    ".cadre/lifecycles.yaml",
    ".cadre/workflow/steps.yaml",
    ".gobby/hooks/gate.yaml",
    ".cadre/config.yam",
    ".cadre/config.yaml ",
    ".cadre/config.yaml.1",
    ".cadre/config.yaml.new",
    ".cadre/config,yaml",
    ".cadre/config (copy).yaml",
    ".cadre/_config.yaml",
    ".cadre/cofig.yaml",
    ".cadre/settings.yaml",
  ])("%s", async (file) => {
    world.put(`work/${file}`, gate)
    const { code, stderr } = await world.run("--trust")
    expect([code, stderr, world.isTouched]).toEqual([
      1,
      expect.stringMatching(/:1:1: .*\((?:gate-folder|configuration-name)\)/),
      false,
    ])
  })

  test.each([
    [
      ".cadre/lifecycle/gate.yaml",
      "`.cadre/lifecycle`",
      "Move its files to `.cadre/lifecycles` or `.cadre/workflows`",
    ],
    [".cadre/hooks.yaml", "`.cadre/hooks.yaml`", "Move it to `.cadre/lifecycles` or `.cadre/workflows`"],
    [".gobby/hooks/gate.yaml", "`.gobby/hooks`", "Move its files to `.gobby/workflows` or `.gobby/rules`"],
  ])("%s: the message says where it belongs", async (file, place, remedy) => {
    world.put(`work/${file}`, gate)
    expect((await world.run("--trust")).stderr).toEqual(
      naming(`cadre does not read ${place}`, remedy, "delete it"),
    )
  })

  test("scripts, notes, copies and what Gobby installs keep nobody from starting", async () => {
    for (const file of [
      ".cadre/hooks/check.sh",
      ".cadre/lifecycles/README.md",
      ".cadre/lifecycles/check.py",
      ".cadre/config.yaml.bak",
      ".cadre/config.example.yaml",
      ".cadre/config.md",
      ".gobby/hooks/hook_dispatcher.py",
      ".gobby/project.json",
    ])
      world.put(`work/${file}`, "Some text.\n")
    world.put(
      "work/.gobby/rules/deprecated/old.yaml",
      "rules:\n  a: { event: before_tool, effects: [{ type: block, reason: x }] }\n",
    )
    world.put("work/.cadre/lifecycles/check", "#!/bin/sh\nexit 0\n")
    expect((await world.run("--trust")).code).toBe(0)
    expect((await world.cadre("check")).code).toBe(0)
  })

  test.each(["permissions:\n", "permissions: { deny: }\n", "permissions: { ask: }\n", "hooks:\n"])(
    "a key with nothing behind it: %j",
    async (text) => {
      world.put("work/.cadre/config.yaml", text)
      const { code, stderr } = await world.run("--trust")
      expect([code, stderr, world.isTouched]).toEqual([
        1,
        expect.stringMatching(/config\.yaml:1:\d+: /),
        false,
      ])
    },
  )
})

describe("the same of rules in the configuration", () => {
  test.each([
    ["a parenthesis that is not closed", "Bash(touch*", /its parenthesis is not closed/],
    ["an argument with a space before the colon", "Bash(touch : *)", /Write `Bash\(touch:\*\)`/],
    ["empty parentheses", "Bash()", /are empty/],
    ["a colon with nothing behind it", "Bash(touch:)", /Write `Bash\(touch:\*\)`/],
    ["a pattern that no tool matches", "Bahs*", /names "Bahs\*"/],
    ["brackets", "Bash[touch*]", /names "Bash\[touch\*\]"/],
    ["a pattern with an argument", "B*(touch:*)", /rules cannot match arguments/],
    ["an argument of a tool that has none", "WebSearch(x)", /rules cannot match arguments/],
  ])("%s", async (_, rule, told) => {
    rmSync(path.join(world.work, ".gobby/workflows"), { recursive: true })
    for (const decision of ["deny", "ask"]) {
      world.put("work/.cadre/config.yaml", `permissions: { ${decision}: [Glob, ${JSON.stringify(rule)}] }\n`)
      const { code, stderr } = await world.run("--trust")
      expect([code, stderr, world.isTouched]).toEqual([1, expect.stringMatching(told), false])
      expect(stderr).toMatch(/config\.yaml:1:(?:28|29): /)
      expect((await world.cadre("check")).stdout).toContain("error configuration-tool")
    }
  })
})
