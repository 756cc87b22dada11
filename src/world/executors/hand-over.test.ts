import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent, type PermissionRule } from "../../agent/agent.ts"
import type { ExecutorOptions, ExecutorSettings } from "../../agent/executor.ts"
import type { RuleSet } from "../../run/log/event-rights.ts"
import type { RunBounds } from "../../run/ports/planner.ts"
import { buildRuleSets } from "../../run/rights/rule-sets.ts"
import type { Denial } from "./bounds.ts"
import { handOverRestrictions } from "./hand-over.ts"

const everything: ExecutorOptions = {
  tools: ["--tools", "{}"],
  noTools: ["--none"],
  disallowedTools: ["--not", "{}"],
  uses: ["--only", "{}"],
  disallowedUses: ["--never", "{}"],
}

interface Case {
  readonly agent?: Partial<AgentInput>
  /** The settings of the parent agent. */
  readonly lead?: Partial<AgentInput>
  /** Rules of the configuration. */
  readonly rules?: readonly PermissionRule[]
  readonly otherwise?: RuleSet["otherwise"]
  readonly binding?: Partial<RunBounds>
  readonly settings?: Partial<ExecutorSettings>
}

const agentOf = (name: string, given: Partial<AgentInput>) =>
  defineAgent({ name, instructions: "x", executor: "bot", ...given })

function handed({ agent = {}, lead, rules = [], otherwise = "allow", binding = {}, settings = {} }: Case) {
  const sets = (name: string, given: Partial<AgentInput>) =>
    buildRuleSets(agentOf(name, given), new Map(), "/no/work", "narrow")
  const rights = [
    ...sets("it", agent),
    ...(lead ? sets("lead", lead) : []),
    { of: "the configuration", rules, otherwise },
  ]
  return handOverRestrictions({ command: ["bot"], options: everything, ...settings }, agentOf("it", agent), {
    rights,
    ...binding,
  })
}

const deny = (tool: string): PermissionRule => ({ tool, decision: "deny" })
const ask = (tool: string): PermissionRule => ({ tool, decision: "ask" })
const allow = (tool: string): PermissionRule => ({ tool, decision: "allow" })
/** Every name that a program may use for the tool. */
const allOf = (...names: readonly string[]) => expect.arrayContaining([...names])

describe("a program is told", () => {
  test.each<[string, Case, object, readonly string[]]>([
    ["nothing where nothing binds it", {}, {}, []],
    ["its list", { agent: { tools: ["Read", "Grep"] } }, { tools: ["Read", "Grep"] }, []],
    ["an empty list as none, which is not nothing", { agent: { tools: [] } }, { tools: [] }, []],
    [
      "a list in the words of another host as it is written",
      { agent: { tools: ["run_shell_command"] } },
      { tools: ["run_shell_command"] },
      [],
    ],
    [
      "what is taken away, by every name",
      { agent: { disallowedTools: ["Bash"] } },
      { disallowedTools: allOf("Bash", "shell", "run_shell_command", "Monitor", "PowerShell") },
      [],
    ],
    [
      "its list without what itself takes away",
      { agent: { tools: ["Read", "Bash"], disallowedTools: ["Bash"] } },
      { tools: ["Read"] },
      ['agent "it" denies Bash'],
    ],
    [
      "its list without what somebody above denies, by whatever name",
      { agent: { tools: ["Read", "run_shell_command", "Monitor"] }, lead: { rules: [deny("Bash")] } },
      { tools: ["Read"] },
      ['agent "lead" denies run_shell_command', 'agent "lead" denies Monitor'],
    ],
    [
      "its list without what a pattern denies",
      { agent: { tools: ["Read", "mcp__a__b"] }, rules: [deny("mcp__*")] },
      { tools: ["Read"] },
      ["the configuration denies mcp__a__b"],
    ],
    [
      "its list without what a rule asks about: nobody can be asked there",
      { agent: { tools: ["Read", "Bash"] }, rules: [ask("Bash")] },
      { tools: ["Read"] },
      ["the configuration asks about Bash"],
    ],
    [
      "its list without what is not under the ceiling",
      { agent: { tools: ["Read", "Bash", "Skill"] }, binding: { ceiling: ["Read", "Skill"] } },
      { tools: ["Read", "Skill"] },
      ["its caller has no Bash"],
    ],
    [
      "what its caller has, where it has no list",
      { binding: { ceiling: ["Read", "Edit"] }, rules: [deny("Edit")] },
      { tools: ["Read"] },
      [],
    ],
    ["none, where its caller has none and it has no list", { binding: { ceiling: [] } }, { tools: [] }, []],
    [
      "what a configuration allows that denies the rest",
      { rules: [allow("Read"), allow("Grep"), allow("Executor")], otherwise: "deny" },
      { tools: ["Read", "Grep"] },
      [],
    ],
    [
      "its list as far as such a configuration allows it",
      { agent: { tools: ["Read", "Bash"] }, rules: [allow("Read"), allow("Executor")], otherwise: "deny" },
      { tools: ["Read"] },
      ["the configuration denies Bash"],
    ],
    [
      "none, where all of its list is denied: whoever starts it refuses that",
      { agent: { tools: ["Bash"] }, rules: [deny("Bash")] },
      { tools: [] },
      ["the configuration denies Bash"],
    ],
    [
      "uses that its list is about",
      { agent: { tools: ["Read", "Bash(git:*)"] } },
      { tools: ["Read", "Bash"], uses: ["Bash(git:*)"] },
      [],
    ],
    [
      "uses that somebody denies",
      { lead: { disallowedTools: ["Bash(rm:*)"] }, rules: [ask("WebFetch(a.com)")] },
      { disallowedUses: ["Bash(rm:*)", "WebFetch(a.com)"] },
      [],
    ],
    [
      "nothing of uses that it has no tool for",
      {
        agent: { tools: ["Read", "Edit"] },
        rules: [deny("Bash(rm:*)"), deny("WebFetch(a.com)"), deny("Agent(x)")],
      },
      { tools: ["Read", "Edit"] },
      [],
    ],
    [
      "nothing of paths, which the sandbox keeps it from",
      { agent: { tools: ["Bash"] }, rules: [deny("Read(.env)"), deny("Edit(src/**)")] },
      { tools: ["Bash"] },
      [],
    ],
    [
      "nothing of paths that it has no tool for, in the sandbox or not",
      {
        agent: { tools: ["Read"] },
        rules: [deny("Edit(src/**)"), ask("Write(x)")],
        settings: { sandbox: "off" },
      },
      { tools: ["Read"] },
      [],
    ],
    [
      "nothing of what asks or denies the program itself, nor of runs here",
      { rules: [ask("Executor"), ask("*"), deny("Executor(other)"), deny("AgentSend")] },
      {},
      [],
    ],
    ["nothing of what a mode asks about: the yes to the program answers it", { otherwise: "ask" }, {}, []],
    [
      "nothing where it is not run at all",
      { agent: { permissionMode: "plan", tools: ["Bash(x)"] }, settings: { options: {} } },
      {},
      [],
    ],
  ])("%s", (_, given, expected, without) => {
    const said = { deny: "denies", ask: "asks about", lack: "has no" }
    const result = handed(given)
    expect("taken" in result && { ...result, taken: result.taken.map(textOf) }).toEqual({
      handed: expected,
      taken: without,
    })

    function textOf({ source, decision, tool }: Denial): string {
      return `${source} ${said[decision]} ${tool}`
    }
  })
})

describe("an agent does not start whose program cannot be told", () => {
  const without = (...names: readonly (keyof ExecutorOptions)[]) => ({
    options: Object.fromEntries(
      Object.entries(everything).filter(([name]) => !names.includes(name as keyof ExecutorOptions)),
    ),
  })
  test.each<[string, Case, RegExp]>([
    [
      "its list",
      { agent: { tools: ["Read"] }, settings: without("tools") },
      /no option for these restrictions: it may use only Read \(from its `tools`\)\. .*`options: \{tools: /,
    ],
    [
      "that it has no tools",
      { agent: { tools: [] }, settings: without("noTools") },
      /it may use no tools \(from its `tools`\)\. .*`options: \{noTools: /,
    ],
    [
      "what its caller has",
      { binding: { ceiling: ["Read"] }, settings: without("tools") },
      /it may use only Read \(from its caller\)\./,
    ],
    [
      "that its caller has nothing",
      { binding: { ceiling: [] }, settings: without("noTools") },
      /it may use no tools \(from its caller\)\./,
    ],
    [
      "what is denied",
      {
        agent: { disallowedTools: ["Bash"] },
        lead: { rules: [deny("Edit")] },
        settings: without("disallowedTools"),
      },
      /: agent "it" denies Bash; agent "lead" denies Edit\./,
    ],
    [
      "what is asked about",
      { rules: [ask("Bash")], settings: without("disallowedTools") },
      /: the configuration asks about Bash\./,
    ],
    [
      "what a pattern denies",
      { rules: [deny("mcp__*")] },
      /: the configuration denies mcp__\*\. .*plain name/,
    ],
    [
      "uses of its own list",
      { agent: { tools: ["Bash(git:*)", "Bash(npm test)"] }, settings: without("uses") },
      /it may use Bash only as Bash\(git:\*\), Bash\(npm test\) \(from the tools of agent "it"\)\. .*`options: \{uses: /,
    ],
    [
      "uses of two lists that hold both",
      { agent: { tools: ["Bash(git:*)"] }, lead: { tools: ["Bash(npm:*)"] } },
      /it may use Bash only as Bash\(git:\*\) \(from the tools of agent "it"\)/,
    ],
    [
      "uses by path",
      { agent: { tools: ["Edit(src/**)"] } },
      /it may use Edit only as Edit\(\/no\/work\/src\/\*\*\)/,
    ],
    [
      "uses that are denied",
      { lead: { disallowedTools: ["Bash(rm:*)"] }, settings: without("disallowedUses") },
      /: agent "lead" denies Bash\(rm:\*\)\. .*`options: \{disallowedUses: /,
    ],
    [
      "uses that are denied, of tools that nobody knows",
      {
        agent: { tools: ["mcp__shell__run"] },
        rules: [deny("Bash(rm:*)")],
        settings: without("disallowedUses"),
      },
      /the configuration denies Bash\(rm:\*\)/,
    ],
    [
      "paths without the sandbox",
      { rules: [deny("Read(.env)")], settings: { sandbox: "off" } },
      /the configuration denies Read\(\.env\).*executor.*sandbox/,
    ],
    [
      "paths where commands have no sandbox",
      { rules: [deny("Read(.env)")], binding: { confinement: { sandbox: "off", network: "full" } } },
      /executor.*sandbox/,
    ],
    [
      "paths that are asked about",
      { agent: { tools: ["Read"] }, rules: [ask("Read(.env)")] },
      /asks about Read\(\.env\)\. Deny this path/,
    ],
    ...["default", "ALL", "*", "Read,Bash", "Read Bash", "-x", "Read\nBash"].map(
      (name): [string, Case, RegExp] => [
        `a name that could mean others: ${JSON.stringify(name)}`,
        { agent: { tools: ["Edit", name] } },
        /misread/,
      ],
    ),
    ...["Bash(a, b)", 'Bash(echo "x")', "Bash(a) Edit", "Bash(x\ny)"].map((use): [string, Case, RegExp] => [
      `a use that could be read as others: ${JSON.stringify(use)}`,
      { rules: [deny(use)] },
      /no option for these restrictions: the configuration denies /,
    ]),
  ])("%s", (_, given, problem) => {
    expect(handed(given)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
