import type { DiagnosticRule } from "../rule.ts"

export const promptTooLong: DiagnosticRule = {
  code: "prompt-too-long",
  severity: "error",
  title: "Instructions that do not fit the model",
  why: "Every request repeats this text. If it does not fit the model, no request can be answered.",
  fix: "Shorten the instructions, the context or the list of tools, or choose a model with a larger window.",
  example: { unreproducible: "It needs a prompt that is longer than the window of a model." },
}
