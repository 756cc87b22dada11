import type { Json, JsonMap } from "../../ground/message.ts"
import type { WrittenHook } from "../../run/ports/hook.ts"
import type { HookEffect, LifecycleHook } from "./hook.ts"

/** Converts a hook back to the form in which its author wrote it. */
export const toWrittenHook = (
  { event, tools, agents, runs, mcpTools, commands, when, effects }: LifecycleHook,
  where: Pick<WrittenHook, "of" | "set" | "file" | "path">,
): WrittenHook => ({
  ...where,
  event,
  ...(tools && { tools }),
  ...(agents && { agents }),
  ...(runs && { runs }),
  ...(mcpTools && { mcpTools }),
  ...(commands && {
    commands: {
      ...(commands.found && { found: commands.found.text }),
      ...(commands.without && { without: commands.without.text }),
    },
  }),
  ...(when && { when: when.text }),
  effects: effects.map(writtenEffect),
})

const writtenEffect = (effect: HookEffect): JsonMap =>
  plain(
    effect.type === "rewrite_input" ? { ...effect, input: Object.fromEntries(effect.input) } : effect,
  ) as JsonMap

/** Replaces templates by their texts and literals by their values. */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value as Json
  if (isOf("template", value)) return value.text
  if (isOf("literal", value)) return value.value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

type Given =
  | { readonly type: "template"; readonly text: string }
  | { readonly type: "literal"; readonly value: Json }

const isOf = <Type extends Given["type"]>(
  type: Type,
  value: object,
): value is Extract<Given, { readonly type: Type }> => "type" in value && value.type === type
