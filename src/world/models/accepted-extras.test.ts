import { expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { keepAcceptedExtras } from "./accepted-extras.ts"
import { findFacts } from "./facts/facts.ts"

const claude =
  "platform.claude.com/docs/en/about-claude/model-deprecations and build-with-claude/extended-thinking, as of 2026-08-22 (read 2026-11-16)"
const effort =
  "platform.claude.com/docs/en/build-with-claude/effort and extended-thinking, as of 2026-08-22 (read 2026-11-16)"
const sdk = "the catalogue of @ai-sdk/openai 4.0.114 (read 2026-11-16)"
const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev (read 2026-11-16)"
const thinking =
  "platform.claude.com/docs/en/build-with-claude/extended-thinking, by github.com/LostRuins/lite.koboldai.net/issues/108 and github.com/dotCipher/opencode-claude-bridge/pull/1 (read 2026-11-16)"
const removed = ["Remove", "choose"]

test.each([
  [
    "anthropic/claude-opus-4-7",
    { parameters: { temperature: 0, top_k: 5, metadata: {} }, effort: "high" },
    { parameters: { metadata: {} }, effort: "high" },
    [
      naming(
        `the parameter "temperature" is not sent: anthropic/claude-opus-4-7 refuses it (source: ${claude}). `,
        ...removed,
      ),
      naming(
        `the parameter "top_k" is not sent: anthropic/claude-opus-4-7 refuses it (source: ${claude}). `,
        ...removed,
      ),
    ],
  ],
  [
    "anthropic/claude-opus-4-7",
    { parameters: { thinking: { type: "enabled", budget_tokens: 2000 } } },
    {},
    [
      naming(
        `the parameter "thinking" is not sent: anthropic/claude-opus-4-7 refuses it (source: ${claude}). `,
        ...removed,
      ),
    ],
  ],
  [
    "anthropic/claude-opus-4-7",
    { parameters: { thinking: { type: "adaptive" } } },
    { parameters: { thinking: { type: "adaptive" } } },
    [],
  ],
  ...[
    [0, "low"],
    [1500, "low"],
    [5000, "medium"],
    [16_000, "high"],
    [90_000, "high"],
  ].map(
    ([tokens, word]) =>
      [
        "anthropic/claude-opus-4-7",
        { effort: tokens! },
        { effort: word! },
        [
          `an effort of ${tokens} tokens is sent as \`${word}\`: anthropic/claude-opus-4-7 refuses thinking budgets (source: ${claude}). Write one of low, medium, high, xhigh, max.`,
        ],
      ] as const,
  ),
  [
    "anthropic/claude-sonnet-4-6",
    { parameters: { top_p: 0.9, temperature: 0.2 } },
    { parameters: { temperature: 0.2 } },
    [
      expect.stringMatching(
        /"top_p".*anthropic\/claude-sonnet-4-6.*accept.*"temperature" \(source: github\.com\/cloud-apim\/otoroshi-llm-extension\/issues\/140, which quotes Anthropic's refusal \(read 2026-11-16\)\)/,
      ),
    ],
  ],
  ["anthropic/claude-sonnet-4-6", { parameters: { top_p: 0.9 } }, { parameters: { top_p: 0.9 } }, []],
  [
    "anthropic/claude-sonnet-4-5",
    { parameters: { top_p: 0.96 }, effort: 8000 },
    { parameters: { top_p: 0.96 }, effort: 8000 },
    [],
  ],
  [
    "anthropic/claude-sonnet-4-5",
    { parameters: { top_p: 0.5 }, effort: 8000 },
    { effort: 8000 },
    [
      naming(
        `the parameter "top_p" is not sent: anthropic/claude-sonnet-4-5 refuses it while it thinks (source: ${thinking}). `,
        ...removed,
      ),
    ],
  ],
  [
    "anthropic/claude-sonnet-4-5",
    { parameters: { temperature: 1 }, effort: 8000 },
    { parameters: { temperature: 1 }, effort: 8000 },
    [],
  ],
  ...[{ effort: 8000 }, { parameters: { thinking: { type: "enabled", budget_tokens: 8000 } } }].map(
    (thinking) =>
      [
        "anthropic/claude-sonnet-4-5",
        { ...thinking, parameters: { ...thinking.parameters, temperature: 0, top_p: 1 } },
        { ...thinking, parameters: { ...thinking.parameters, top_p: 1 } },
        [
          expect.stringMatching(
            /^the parameter "temperature" is not sent: anthropic\/claude-sonnet-4-5 refuses it while it thinks \(source: platform\.claude\.com/,
          ),
        ],
      ] as const,
  ),
  ["anthropic/claude-sonnet-4-5", { parameters: { temperature: 0 } }, { parameters: { temperature: 0 } }, []],
  [
    "anthropic/claude-sonnet-4-5",
    { effort: "high" },
    {},
    [
      `the effort "high" is not sent: anthropic/claude-sonnet-4-5 accepts no effort in words (source: ${effort}).`,
    ],
  ],
  [
    "openai/gpt-5.4",
    { parameters: { temperature: 0, presence_penalty: 1 }, effort: "none" },
    { parameters: { temperature: 0 }, effort: "none" },
    [
      naming(
        `the parameter "presence_penalty" is not sent: openai/gpt-5.4 refuses it (source: ${sdk}). `,
        ...removed,
      ),
    ],
  ],
  [
    "openai/gpt-5.4",
    { parameters: { topP: 0.5 } },
    {},
    [
      naming(
        `the parameter "topP" is not sent: openai/gpt-5.4 refuses it unless its effort is \`none\` (source: ${sdk}). `,
        ...removed,
      ),
    ],
  ],
  [
    "openai/gpt-5.4",
    { effort: "minimal" },
    { effort: "low" },
    [
      `the effort "minimal" is sent as \`low\`: openai/gpt-5.4 accepts only none, low, medium, high, xhigh (source: ${catalogue}).`,
    ],
  ],
  [
    "openai/gpt-5.4",
    { effort: "enormous" },
    {},
    [
      `the effort "enormous" is not sent: openai/gpt-5.4 accepts only none, low, medium, high, xhigh (source: ${catalogue}).`,
    ],
  ],
  ["openai/gpt-4.1", { parameters: { temperature: 1 } }, { parameters: { temperature: 1 } }, []],
] as const)("%s is sent what it takes of %j", (id, wanted, expected, warnings) => {
  const told: string[] = []
  const [provider, model] = id.split("/") as [string, string]
  expect(
    keepAcceptedExtras(id, findFacts(provider, model)!, wanted, (message) => told.push(message)),
  ).toEqual(expected)
  expect(told).toEqual(warnings)
})
