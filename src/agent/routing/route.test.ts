import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import { type RouteResult, route } from "./route.ts"
import type { RouteCandidate } from "./score.ts"

const agents: readonly RouteCandidate[] = [
  { name: "tester", keywords: ["tests", "verification", "pass/fail"] },
  { name: "spec-parser", keywords: ["requirements", "spec parser", "acceptance criteria"] },
  { name: "reviewer", keywords: ["review", "lint", "Lint", "security"], aliases: ["code-critic"] },
  { name: "校正", keywords: ["レビュー"] },
  { name: "🚀", keywords: ["C++", "café"] },
]

const nobody = (reason: string, scores: RouteResult["scores"] = []): RouteResult => ({
  type: "nobody",
  reason,
  scores,
})
const chosen = (
  agent: string,
  task: string,
  reason: string,
  scores: RouteResult["scores"] = [],
): RouteResult => ({
  type: "agent",
  agent,
  task,
  reason,
  scores,
})
/** Chosen by its words, without a competitor. */
const matched = (agent: string, task: string, score: number, ...matches: string[]): RouteResult =>
  chosen(agent, task, `matched ${matches.join(", ")}`, [{ agent, score, matches }])

const unconfident = nobody("No confident keyword match.")
const nameless = nobody(expect.stringContaining("Provide"))

describe("1.24: named by the caller", () => {
  test.each<[string, RouteResult]>([
    ["tester", chosen("tester", "go", "selected explicitly ('tester')")],
    ["  Spec Parser ", chosen("spec-parser", "go", "selected explicitly ('Spec Parser')")],
    ["CODE_CRITIC", chosen("reviewer", "go", "selected explicitly ('CODE_CRITIC')")],
    ["security", chosen("reviewer", "go", "selected explicitly ('security')")],
    ["校正", chosen("校正", "go", "selected explicitly ('校正')")],
    ["🚀", chosen("🚀", "go", "selected explicitly ('🚀')")],
    ["summarizer", nobody("Unknown subagent 'summarizer'.")],
    ["!!!", nobody("Unknown subagent '!!!'.")],
    [" ", nameless],
    ["", nameless],
  ])("%j", (agent, expected) => {
    expect(route(agents, { agent, text: "go" }, { autoRoute: "off" })).toEqual(expected)
  })
})

describe("1.24: text, with auto-routing on", () => {
  test.each<[string, RouteResult]>([
    // /use
    ["/use spec-parser please", chosen("spec-parser", "please", "requested via `/use spec-parser`")],
    ["  /use\ttester", chosen("tester", "", "requested via `/use tester`")],
    ["/use tester a\n\n b ", chosen("tester", "a\n\n b", "requested via `/use tester`")],
    ['/use "Spec Parser" now', chosen("spec-parser", "now", "requested via `/use Spec Parser`")],
    ["/use 'tester' now", chosen("tester", "now", "requested via `/use tester`")],
    ['/use "tester now', chosen("tester", "now", "requested via `/use tester`")],
    ["/use summarizer", nobody("Unknown subagent 'summarizer'.")],
    ["/use", nameless],
    ["  /use   ", nameless],
    ['/use " " now', nameless],
    // `/useful` is not `/use`, and a command is at the beginning.
    ["/useful tester", matched("tester", "/useful tester", 3, "agent name 'tester'")],
    ["/useful thing", unconfident],
    ["/user tests", matched("tester", "/user tests", 1, "keyword 'tests'")],
    ["please /use nobody", unconfident],
    // All words of the name.
    ["The tester!", matched("tester", "The tester!", 3, "agent name 'tester'")],
    [
      "Parser of the spec",
      chosen("spec-parser", "Parser of the spec", "matched agent name 'spec-parser', keyword 'spec parser'", [
        { agent: "spec-parser", score: 4, matches: ["agent name 'spec-parser'", "keyword 'spec parser'"] },
      ]),
    ],
    ["ask the code critic", matched("reviewer", "ask the code critic", 3, "agent name 'code-critic'")],
    // The name as it is written, where it is not a separate word or its script has no spaces.
    ["lift off 🚀", matched("🚀", "lift off 🚀", 2, "agent name '🚀'")],
    ["これを校正して", matched("校正", "これを校正して", 2, "agent name '校正'")],
    ["testers", unconfident],
    ["contester", unconfident],
    // Keywords.
    [
      "Please parse the requirements.",
      matched("spec-parser", "Please parse the requirements.", 1, "keyword 'requirements'"),
    ],
    ["LINT it", matched("reviewer", "LINT it", 1, "keyword 'lint'")],
    ["lint-fix", matched("reviewer", "lint-fix", 1, "keyword 'lint'")],
    ["a splint for the leg", unconfident],
    ["linting", unconfident],
    ["my CAFE\u0301", matched("🚀", "my CAFE\u0301", 1, "keyword 'café'")],
    ["このコードをレビューして", matched("校正", "このコードをレビューして", 1, "keyword 'レビュー'")],
    [
      "fail or pass: verification",
      matched("tester", "fail or pass: verification", 2, "keyword 'verification'", "keyword 'pass/fail'"),
    ],
    // The best one wins; a tie has no winner.
    [
      "Security review, then tests",
      chosen("reviewer", "Security review, then tests", "matched keyword 'review', keyword 'security'", [
        { agent: "reviewer", score: 2, matches: ["keyword 'review'", "keyword 'security'"] },
        { agent: "tester", score: 1, matches: ["keyword 'tests'"] },
      ]),
    ],
    [
      "We need tests and a review.",
      nobody("Multiple agents matched: reviewer, tester", [
        { agent: "reviewer", score: 1, matches: ["keyword 'review'"] },
        { agent: "tester", score: 1, matches: ["keyword 'tests'"] },
      ]),
    ],
    ["something else", unconfident],
    ["", unconfident],
  ])("%j", (text, expected) => {
    expect(route(agents, { text }, { autoRoute: "on" })).toEqual(expected)
  })
})

test.each<[string, readonly RouteCandidate[], Parameters<typeof route>[1], RouteResult]>([
  ["without agents", [], { agent: "tester", text: "/use tester" }, nobody("No registered subagents.")],
  ["with auto-routing off", agents, { text: "tester please run" }, nobody("Auto-routing disabled.")],
  ["without a text", agents, {}, nobody("Auto-routing disabled.")],
  [
    "/use, with auto-routing off",
    agents,
    { text: "/use tester" },
    chosen("tester", "", "requested via `/use tester`"),
  ],
  [
    "a parameter beside /use",
    agents,
    { agent: "tester", text: "/use reviewer" },
    chosen("tester", "/use reviewer", "selected explicitly ('tester')"),
  ],
  [
    "a name that is another's keyword",
    [{ name: "a", keywords: ["lint"] }, { name: "lint" }],
    { agent: "lint" },
    chosen("lint", "", "selected explicitly ('lint')"),
  ],
  [
    "names that differ in a hyphen",
    [{ name: "spec-parser" }, { name: "specparser" }],
    { agent: "specparser" },
    chosen("specparser", "", "selected explicitly ('specparser')"),
  ],
  [
    "a keyword of two agents",
    [
      { name: "b", keywords: ["lint"] },
      { name: "a", keywords: ["Lint"] },
    ],
    { agent: "lint" },
    nobody("Multiple agents matched: a, b"),
  ],
])("%s", (_, candidates, request, expected) => {
  expect(route(candidates, request, { autoRoute: "off" })).toEqual(expected)
})

const word = fc.constantFrom(
  "lint",
  "test",
  "spec-parser",
  "spec parser",
  "splint",
  "🚀",
  "校正",
  "C++",
  "/use",
  " ",
  '"',
)
const phrase = fc.oneof(
  word,
  fc.string(),
  fc.array(word).map((parts) => parts.join(" ")),
)
const candidates = fc.uniqueArray(
  fc.record({ name: phrase, keywords: fc.array(phrase), aliases: fc.array(phrase) }),
  { selector: ({ name }) => name },
)

test("the order of the agents does not matter, and nothing makes it throw", () => {
  const shuffled = candidates.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  )
  fc.assert(
    fc.property(
      shuffled,
      fc.option(phrase, { nil: undefined }),
      fc.option(phrase, { nil: undefined }),
      ([one, other], text, agent) => {
        expect(route(other, { text, agent }, { autoRoute: "on" })).toEqual(
          route(one, { text, agent }, { autoRoute: "on" }),
        )
      },
    ),
  )
})

test("only an agent that is there is chosen", () => {
  fc.assert(
    fc.property(candidates, phrase, (list, text) => {
      const found = route(list, { text }, { autoRoute: "on" })
      if (found.type === "agent") expect(list.map(({ name }) => name)).toContain(found.agent)
    }),
  )
})

test("a long text is routed at once", () => {
  const began = processorTime()
  route(agents, { text: "splint ".repeat(100_000) }, { autoRoute: "on" })
  route(agents, { text: `/use "${"a ".repeat(100_000)}` }, { autoRoute: "on" })
  expect(processorTime() - began).toBeLessThan(15_000)
})

test("an agent that ships can be named and is never picked by its words", () => {
  const agents: readonly RouteCandidate[] = [
    { name: "worker", origin: { scope: "built-in" } },
    { name: "pool-doctor", keywords: ["pool"], origin: { scope: "user" } },
  ]
  const answers = ["/use worker go", "mend the worker pool", "ask the worker"].map((text) =>
    route(agents, { text }, { autoRoute: "on" }),
  )
  expect(answers.map((answer) => (answer.type === "agent" ? answer.agent : answer.reason))).toEqual([
    "worker",
    "pool-doctor",
    "No confident keyword match.",
  ])
})

test("a hidden agent can be named and is never picked by its words", () => {
  const hidden: readonly RouteCandidate[] = [{ name: "tester", keywords: ["tests"], hidden: true }]
  expect(
    ["/use tester go", "tester, run the tests"].map((text) => route(hidden, { text }, { autoRoute: "on" })),
  ).toEqual([chosen("tester", "go", "requested via `/use tester`"), unconfident])
})
