import type { DiagnosticRule } from "../rule.ts"

export const modelDenied: DiagnosticRule = {
  code: "model-denied",
  severity: "error",
  title: "A model that the configuration does not allow",
  why: "It is not in `allowed_models`, it costs more than `max_model_price`, or its price is not known there. Nothing is asked, and the agent does not start.",
  fix: "Choose a model that the setting allows, or change the setting in the file that the message names.",
  example: { unreproducible: "It takes a configuration that does not allow the model." },
}
