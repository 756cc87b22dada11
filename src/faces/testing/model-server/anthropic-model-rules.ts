import type { Json } from "../../../ground/message.ts"
import { blockValues, listMessageBlocks } from "./anthropic-blocks.ts"
import { findFirstProblem, isRecord } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

type Body = Record<string, Json>

const reportedIn = (source: string, read = "2026-11-16") => ({ source, read, status: 400 })

/** Rules of Anthropic's own models. The rules of the protocol, which other servers share, apply as well. */
export const anthropicModelRules: readonly RefusalRule[] = [
  {
    name: "sampling while thinking",
    says: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.",
    ...reportedIn(
      "github.com/mnfst/modelparams.dev/issues/214; of `top_k`: github.com/quarkiverse/quarkus-langchain4j/issues/1812",
      "2026-11-18",
    ),
    refuses: (body) =>
      thinks(body) && body.temperature !== undefined && body.temperature !== 1
        ? "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."
        : thinks(body) && body.top_k !== undefined
          ? "`top_k` must be unset when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking"
          : undefined,
  },
  {
    name: "temperature and top_p together",
    says: "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    ...reportedIn("github.com/cloud-apim/otoroshi-llm-extension/issues/140"),
    refuses: (body) =>
      body.temperature !== undefined && body.top_p !== undefined && !isAdaptiveOnly(body)
        ? "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        : undefined,
  },
  {
    name: "sampling parameters of models from Opus 4.7 on",
    says: "Deprecated. Models released after Claude Opus 4.6 do not support setting temperature. A value of 1.0 of will be accepted for backwards compatibility, all other values will be rejected with a 400 error.",
    ...reportedIn("the API reference, quoted in github.com/sashiko-dev/sashiko/pull/115"),
    refuses: (body) =>
      isAdaptiveOnly(body)
        ? findFirstProblem(["temperature", "top_p", "top_k"], (name) =>
            body[name] === undefined || (name === "temperature" && body[name] === 1)
              ? undefined
              : `\`${name}\` is deprecated for this model.`,
          )
        : undefined,
  },
  {
    name: "thinking budgets of models from Opus 4.7 on",
    says: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    ...reportedIn("github.com/earendil-works/pi/issues/3297", "2026-11-18"),
    refuses: (body) =>
      isAdaptiveOnly(body) && isRecord(body.thinking) && body.thinking.type === "enabled"
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : undefined,
  },
  {
    name: "adaptive thinking of older models",
    says: "adaptive thinking is not supported on this model",
    ...reportedIn("github.com/elizaOS/eliza/pull/16175"),
    refuses: (body) =>
      isOlder(body) && isRecord(body.thinking) && body.thinking.type === "adaptive"
        ? "adaptive thinking is not supported on this model"
        : undefined,
  },
  {
    name: "models without effort",
    says: "This model does not support the effort parameter.",
    ...reportedIn("github.com/vellum-ai/vellum-assistant/pull/17994"),
    refuses: (body) =>
      isOlder(body) && effortOf(body) !== undefined
        ? "This model does not support the effort parameter."
        : undefined,
  },
  {
    name: "words of effort",
    says: "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
    ...reportedIn(
      "the types of `@anthropic-ai/sdk`, OutputConfig; which model takes which: the table of models",
    ),
    refuses(body) {
      const effort = effortOf(body)
      const words = effortsOf(String(body.model))
      return effort === undefined || words.includes(String(effort))
        ? undefined
        : `output_config.effort: Input should be ${words.map((word) => `'${word}'`).join(", ")}`
    },
  },
  {
    name: "effort without thinking",
    says: "output_config.effort 'xhigh' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.",
    ...reportedIn("github.com/anthropics/claude-code/issues/81084"),
    refuses(body) {
      const effort = effortOf(body)
      const isOff = isRecord(body.thinking) && body.thinking.type === "disabled"
      return isOff && (effort === "xhigh" || effort === "max")
        ? `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`
        : undefined
    },
  },
  {
    name: "thinking of the last reply",
    says: "messages.1.content.7: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    ...reportedIn("github.com/anthropics/claude-code/issues/63441"),
    refuses({ messages }, sent) {
      const at = (messages as readonly Json[]).length - 2
      const blocks = listMessageBlocks((messages as readonly Json[])[at])
      const original = sent.get(String(blockValues(blocks, "tool_use", "id")[0]))
      const thoughts = blocks.filter(({ type }) => type === "thinking" || type === "redacted_thinking")
      return original === undefined || JSON.stringify(original) === JSON.stringify(thoughts)
        ? undefined
        : `messages.${at}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
    },
  },
]

const thinks = ({ thinking }: Body): boolean =>
  isRecord(thinking) && (thinking.type === "enabled" || thinking.type === "adaptive")

const effortOf = ({ output_config: output }: Body): Json | undefined =>
  isRecord(output) ? output.effort : undefined

const isAdaptiveOnly = ({ model }: Body): boolean =>
  /^claude-(?:opus-4-[7-9]|[a-z]+-[5-9])(?:-|$)/.test(String(model))

const isOlder = ({ model }: Body): boolean =>
  /^claude-(?:3|(?:haiku|sonnet)-4-5|(?:opus|sonnet)-4-[01](?:-|$))/.test(String(model))

function effortsOf(model: string): readonly string[] {
  if (/^claude-opus-4-5/.test(model)) return ["low", "medium", "high"]
  if (/^claude-(?:opus|sonnet)-4-6/.test(model)) return ["low", "medium", "high", "max"]
  return ["low", "medium", "high", "xhigh", "max"]
}
