import type { ModelChoice } from "../agent.ts"
import { didYouMean, nearNames, quoted } from "./near-names.ts"
import { at, type DiagnosticRule, type Surroundings } from "./rule.ts"

export const modelUnknown: DiagnosticRule = {
  code: "model-unknown",
  severity: "warning",
  title: "A model that cannot be one",
  why: "A run whose model cannot be resolved fails before its first request, and some hosts quietly take another model instead.",
  fix: "Name a preset of the configuration, `provider:model`, a full model id or `inherit`; or leave it out to use the caller's.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\nmodel: the best one you have\n---\n\nPlan the work.\n",
  },
  check(subject, surroundings) {
    const { model } = subject.agent
    const list = Array.isArray(model) ? (model as readonly string[]) : undefined
    const choices = list ?? [model as Exclude<ModelChoice, readonly unknown[]> | undefined]
    for (const [index, choice] of choices.entries()) {
      const wrong = typeof choice === "string" ? wrongName(choice, surroundings) : undefined
      if (wrong === undefined) continue
      const place = list ? at(subject, "model", index) : at(subject, "model")
      subject.report({
        message: `\`${choice}\` ${wrong.reason}, so a run would fail before its first request.${wrong.near.length > 0 ? didYouMean(wrong.near) : wayOut(surroundings)}`,
        at: place,
        ...(wrong.near.length === 1 && {
          fix: { title: `Write \`${wrong.near[0]}\``, edits: [{ at: place, text: wrong.near[0]! }] },
        }),
      })
    }
  },
}

/** What every host that reads such files takes besides full ids. */
const aliases = ["sonnet", "opus", "haiku", "fable", "opusplan", "inherit", "default"]

interface WrongName {
  readonly reason: string
  readonly near: readonly string[]
}

function wrongName(name: string, { models }: Surroundings): WrongName | undefined {
  if (aliases.includes(name) || models?.has(name) || name.endsWith(".gguf")) return undefined
  const known = [...aliases, ...(models ?? [])]
  const provider = /^([^:/]+)[:/]./.exec(name)?.[1]
  if (provider !== undefined) {
    const near = models && !models.has(provider) ? nearNames(provider, models) : []
    if (/\s/.test(name)) return { reason: "is no name of a model", near: [] }
    return near.length === 1
      ? { reason: "names a provider that is not configured", near: [name.replace(provider, near[0]!)] }
      : undefined
  }
  if (/[^\w.@-]/.test(name))
    return { reason: "is no name of a model", near: idOf(name) ?? nearNames(name, known) }
  // An id says which version it is of; a word without a number is a preset or an alias.
  if (/\d/.test(name)) return undefined
  const near = nearNames(name, known)
  return near.length > 0 || models
    ? { reason: "is no model, preset or alias that is known", near }
    : undefined
}

/** The id behind a title such as `Claude Sonnet 4.5 (copilot)`, which Copilot's files have. */
function idOf(title: string): readonly string[] | undefined {
  const bare = title.replace(/\s*\([^)]*\)$/, "").toLowerCase()
  if (/^claude [a-z]+ \d[\d.]*$/.test(bare)) return [bare.replaceAll(/[ .]/g, "-")]
  return /^[\w.-]+$/.test(bare) && /\d/.test(bare) ? [bare] : undefined
}

function wayOut({ models }: Surroundings): string {
  const configured = models && models.size > 0 ? ` Configured: ${quoted([...models].sort(), "and")}.` : ""
  return ` Name a preset, \`provider:model\`, a model id such as \`claude-sonnet-4-5\`, or \`inherit\`.${configured}`
}
