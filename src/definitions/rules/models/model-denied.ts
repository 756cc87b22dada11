import type { DiagnosticRule } from "../rule.ts"

export const modelDenied: DiagnosticRule = {
  code: "model-denied",
  severity: "error",
  title: "A model that the configuration does not allow",
  why: "It is not in `allowed_models`, it costs more than `max_model_price`, or its price is unknown. The agent does not start, and no model is called.",
  fix: "Choose a model that the setting allows, or change the setting in the file that the message names.",
  example: { unreproducible: "It needs a configuration that does not allow the model." },
}
