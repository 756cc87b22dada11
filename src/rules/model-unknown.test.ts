import { expect, test } from "vitest"
import { bareAliases } from "../models/aliases.ts"
import { type Case, linesOf } from "./support.ts"

test.each<[string, Case, readonly string[]]>([
  ["sonnet", { model: "sonnet" }, []],
  ["inherit", { model: "inherit" }, []],
  ["claude-sonnet-4-5", { model: "claude-sonnet-4-5" }, []],
  ["gpt-5", { model: "gpt-5" }, []],
  ["anthropic:sonnet", { model: "anthropic:sonnet" }, []],
  ["opencode/grok-code", { model: "opencode/grok-code" }, []],
  ["models/qwen3.gguf", { model: "models/qwen3.gguf" }, []],
  ["house-style", { model: "house-style" }, []],
  ["an object", { model: { provider: "anthropic", model: "whatever you like" } }, []],
  ["the default", { model: null }, []],
  [
    "free text",
    { model: "the best one you have" },
    [
      "warning model-unknown at model: `the best one you have` is no name of a model, so a run would fail before its first request. Name a preset, `provider:model`, a model id such as `claude-sonnet-4-5`, or `inherit`.",
    ],
  ],
  [
    "a title",
    { model: "Claude Sonnet 4.5 (copilot)" },
    [
      "warning model-unknown at model: `Claude Sonnet 4.5 (copilot)` is no name of a model, so a run would fail before its first request. Did you mean `claude-sonnet-4-5`?",
    ],
  ],
  [
    "a slip",
    { model: "sonet" },
    [
      "warning model-unknown at model: `sonet` is no model, preset or alias that is known, so a run would fail before its first request. Did you mean `sonnet`?",
    ],
  ],
  [
    "in a list",
    { model: ["opus", "my favourite model"] },
    [
      "warning model-unknown at model.1: `my favourite model` is no name of a model, so a run would fail before its first request. Name a preset, `provider:model`, a model id such as `claude-sonnet-4-5`, or `inherit`.",
    ],
  ],
  ["a preset", { model: "cheap", around: { models: new Set(["cheap", "anthropic"]) } }, []],
  [
    "no preset",
    { model: "expensive", around: { models: new Set(["cheap", "anthropic"]) } },
    [
      "warning model-unknown at model: `expensive` is no model, preset or alias that is known, so a run would fail before its first request. Name a preset, `provider:model`, a model id such as `claude-sonnet-4-5`, or `inherit`. Configured: `anthropic` and `cheap`.",
    ],
  ],
  [
    "a slip in a preset",
    { model: "chaep", around: { models: new Set(["cheap", "anthropic"]) } },
    [
      "warning model-unknown at model: `chaep` is no model, preset or alias that is known, so a run would fail before its first request. Did you mean `cheap`?",
    ],
  ],
  [
    "a slip in a provider",
    { model: "antropic:claude-sonnet-4-5", around: { models: new Set(["cheap", "anthropic"]) } },
    [
      "warning model-unknown at model: `antropic:claude-sonnet-4-5` names a provider that is not configured, so a run would fail before its first request. Did you mean `anthropic:claude-sonnet-4-5`?",
    ],
  ],
  [
    "a provider nobody configured",
    { model: "local:qwen3", around: { models: new Set(["cheap", "anthropic"]) } },
    [],
  ],
])("a model: %s", (_, subject, expected) => {
  expect(linesOf(subject)).toEqual(expected)
})

test.each([...bareAliases.keys(), "sonnet[1m]", "script:a script.json"])(
  "%s is known to a run, so it is here",
  (model) => {
    expect(linesOf({ model, around: { models: new Set(["cheap"]) } })).toEqual([])
  },
)
