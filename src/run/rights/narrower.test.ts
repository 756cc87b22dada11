import { describe, expect, test } from "vitest"
import type { RuleDecision } from "../../agent/agent.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { findGains } from "./gains.ts"
import { isNarrower } from "./narrower.ts"

type Rules = readonly (readonly [string, RuleDecision])[]
const set = (rules: Rules, otherwise: RuleDecision = "deny", more: object = {}): RuleSet => ({
  of: "x",
  rules: rules.map(([tool, decision]) => ({ tool, decision })),
  otherwise,
  ...more,
})
const list = (...tools: readonly string[]) => set(tools.map((tool) => [tool, "allow"]))

describe("a list allows no more than another", () => {
  test.each<[string, RuleSet, RuleSet, boolean]>([
    ["the same", list("Bash(git:*)"), list("Bash(git:*)"), true],
    ["less of it", list("Bash(git:*)"), list("Bash(git:*)", "Bash(ls)"), true],
    ["more of it", list("Bash(git:*)", "Bash(ls)"), list("Bash(git:*)"), false],
    ["one command of a kind", list("Bash(git status)"), list("Bash(git:*)"), true],
    ["a kind of a kind", list("Bash(git log:*)"), list("Bash(git:*)"), true],
    ["a kind, where one command is allowed", list("Bash(git:*)"), list("Bash(git)"), false],
    ["a command that is not plain", list("Bash(git status; rm x)"), list("Bash(git:*)"), false],
    ["another command", list("Bash(gitk)"), list("Bash(git:*)"), false],
    ["a use, where the tool is allowed", list("Bash(git:*)"), list("Bash"), true],
    ["a use, where all tools are", list("Bash(git:*)"), list("*"), true],
    ["the tool, where a use is allowed", list("Bash"), list("Bash(git:*)"), false],
    ["a pattern of tools", list("mcp__x__*"), list("mcp__*"), false],
    ["a file below a folder", list("Read(/a/b)"), list("Read(/a/**)"), true],
    ["a file elsewhere", list("Read(/b)"), list("Read(/a/**)"), false],
    ["a folder below a folder cannot be decided", list("Read(/a/b/**)"), list("Read(/a/**)"), false],
    ["a file to be written", list("Edit(/a/b)"), list("Edit(/a/**)"), true],
    ["of another tool", list("Edit(/a/b)"), list("Read(/a/**)"), false],
    ["a pattern for agents", list("Agent(b*)"), list("Agent(a, b*)"), false],
    ["the same pattern for agents", list("Agent(b*)"), list("Agent(a)", "Agent(b*)"), true],
    ["any use of a tool, where a use is allowed", list("Read"), list("Read(/a/**)"), false],
    ["one command, where that one is allowed", list("Bash(git)"), list("Bash(git)", "Bash(ls)"), true],
    ["one command, where a pattern allows it", list("Bash(git status)"), list("Bash(git *)"), true],
    ["one command, where a pattern in the middle allows it", list("Bash(a x b)"), list("Bash(a * b)"), true],
    ["a kind, where a pattern in the middle is allowed", list("Bash(a x:*)"), list("Bash(a * b)"), false],
    ["the same whole tool", list("Read"), list("Bash", "Read"), true],
    ["another tool", list("Read"), list("Bash"), false],
    ["an agent of several", list("Agent(b)"), list("Agent(a, b)"), true],
    ["another agent", list("Agent(c)"), list("Agent(a, b)"), false],
    ["a host cannot be decided", list("WebFetch(a.com)"), list("WebFetch(*.com)"), false],
    ["what is denied is nothing", set([["Bash(rm:*)", "deny"]]), list("Read"), true],
    [
      "the other denies something",
      list("Bash(git status)"),
      set([
        ["Bash", "allow"],
        ["Bash(git:*)", "deny"],
      ]),
      false,
    ],
    [
      "both allow otherwise, and say the same",
      set([["w", "deny"]], "allow"),
      set([["w", "deny"]], "allow"),
      true,
    ],
    ["both allow otherwise, and do not", set([["w", "deny"]], "allow"), set([["v", "deny"]], "allow"), false],
    ["they differ in what they do otherwise", set([], "deny"), set([], "allow"), false],
  ])("%s", (_, one, other, expected) => expect(isNarrower(one, other)).toBe(expected))
})

describe("what a child can do and its caller cannot", () => {
  const known = new Map([
    ["Read", {}],
    ["Bash", {}],
    ["Agent", {}],
  ])
  const own = (tools: readonly string[], ...rules: readonly string[]): RuleSet => ({
    ...list(...rules),
    own: true,
    tools,
  })
  const had = (tools: readonly string[], ...rights: readonly RuleSet[]) => ({ tools, rights })
  test.each<
    [
      string,
      ReturnType<typeof had>,
      ReturnType<typeof had> & { programTools?: readonly string[] },
      readonly string[],
    ]
  >([
    ["nothing", had(["Read", "Bash"]), had(["Read"]), []],
    ["a tool", had(["Read"]), had(["Read", "Bash"]), ["Bash"]],
    [
      "whatever deals with runs is none",
      had([]),
      had(["Agent", "AgentWait", "AskParent", "submit_result"]),
      ["Agent"],
    ],
    ["more uses of a tool", had(["Bash"], own(["Bash"], "Bash(git:*)")), had(["Bash"]), ["Bash"]],
    [
      "other uses",
      had(["Bash"], own(["Bash"], "Bash(git:*)")),
      had(["Bash"], own(["Bash"], "Bash(ls)")),
      ["Bash"],
    ],
    [
      "fewer uses",
      had(["Bash"], own(["Bash"], "Bash(git:*)")),
      had(["Bash"], own(["Bash"], "Bash(git log)")),
      [],
    ],
    [
      "what binds both is no matter",
      had(["Bash"], { ...own(["Bash"], "Bash(git:*)"), own: undefined as never }),
      had(["Bash"]),
      [],
    ],
    [
      "a tool that an activated agent did not have",
      had(["Bash"], { ...list("Read"), own: true }),
      had(["Bash"]),
      ["Bash"],
    ],
    ["a tool that an activated agent had", had(["Bash"], { ...list("Bash"), own: true }), had(["Bash"]), []],
    [
      "one of the two lists is wider",
      had(["Bash"], own(["Bash"], "Bash(git:*)"), own(["Bash"], "Bash(git log)")),
      had(["Bash"], own(["Bash"], "Bash(git:*)")),
      ["Bash"],
    ],
    [
      "its program's names are another host's",
      had(["Bash"]),
      { ...had([]), programTools: ["run_shell_command"] },
      [],
    ],
    ["a list of another tool", had(["Bash"], own(["Read"], "Read(/a)")), had(["Bash"]), []],
    ["tools of its program", had(["Read"]), { ...had([]), programTools: ["Read", "Bash"] }, ["Bash"]],
  ])("%s", (_, caller, child, expected) => expect(findGains(caller, child, known)).toEqual(expected))
})
