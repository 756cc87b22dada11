import type { ModelChoice } from "../agent.ts"
import { valueSpan } from "./entry-place.ts"
import { didYouMean, knownNamesOf, quoted } from "./near-names.ts"
import { at, type DiagnosticRule, type Subject, type Surroundings } from "./rule.ts"
import { shown } from "./shown.ts"
import { spellingFix } from "./spelling-fix.ts"

export const modelUnknown: DiagnosticRule = {
  code: "model-unknown",
  severity: "warning",
  title: "A model that cannot be one",
  why: "A run whose model cannot be resolved fails before its first request. Some hosts quietly take another model instead; runs of acai's files take the default one, and say so.",
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
        message: `\`${shown(choice as string)}\` ${wrong.reason}, so ${consequence(subject)}.${wrong.near.length > 0 ? didYouMean(wrong.near) : wayOut(surroundings)}`,
        at: place,
        ...(wrong.near.length === 1 &&
          subject.source &&
          spellingFix(choice as string, wrong.near[0]!, () => valueSpan(subject, place, choice as string))),
      })
    }
  },
}

const consequence = ({ agent, format }: Subject): string =>
  format?.id === "acai" && typeof agent.model === "string"
    ? "a run uses the default model in its place, as acai does"
    : "a run would fail before its first request"

/** What hosts that read such files take besides full ids. */
const aliases = [
  "sonnet",
  "opus",
  "haiku",
  "fable",
  "opusplan",
  "pro",
  "flash",
  "flash-lite",
  "inherit",
  "default",
]

interface WrongName {
  readonly reason: string
  readonly near: readonly string[]
}

/** The ids of models are far shorter. */
const longestName = 200

function wrongName(name: string, surroundings: Surroundings): WrongName | undefined {
  const { models } = surroundings
  if (aliases.includes(name.replace(/\[1m\]$/, "")) || models?.has(name)) return undefined
  if (name.endsWith(".gguf") || name.startsWith("script:")) return undefined
  if (name.length > longestName) return { reason: "is no name of a model", near: [] }
  const provider = /^([^:/]+)[:/]./.exec(name)?.[1]
  if (provider !== undefined) {
    const near = models && !models.has(provider) ? configuredNames(surroundings).near(provider) : []
    if (/\s/.test(name)) return { reason: "is no name of a model", near: [] }
    return near.length === 1
      ? {
          reason: "names a provider that is not configured",
          near: [`${near[0]}${name.slice(provider.length)}`],
        }
      : undefined
  }
  if (/[^\w.@-]/.test(name))
    return { reason: "is no name of a model", near: idOf(name) ?? modelNames(surroundings).near(name) }
  // An id says which version it is of; a word without a number is a preset or an alias.
  if (/\d/.test(name)) return undefined
  const near = modelNames(surroundings).near(name)
  return near.length > 0 || models
    ? { reason: "is no model, preset or alias that is known", near }
    : undefined
}

/** The id behind a title such as `Claude Sonnet 4.5 (copilot)`, which Copilot's files have. */
function idOf(title: string): readonly string[] | undefined {
  const open = title.endsWith(")") ? title.lastIndexOf("(") : -1
  const bare = (open < 0 ? title : title.slice(0, open).trimEnd()).toLowerCase()
  if (/^claude [a-z]+ \d[\d.]*$/.test(bare)) return [bare.replaceAll(/[ .]/g, "-")]
  return /^[\w.-]+$/.test(bare) && /\d/.test(bare) ? [bare] : undefined
}

const modelNames = knownNamesOf(({ models }) => [...aliases, ...(models ?? [])])
const configuredNames = knownNamesOf(({ models }) => models ?? [])

function wayOut(surroundings: Surroundings): string {
  const { sorted } = configuredNames(surroundings)
  const configured = sorted.length > 0 ? ` Configured: ${quoted(sorted, "and")}.` : ""
  return ` Name a preset, \`provider:model\`, a model id such as \`claude-sonnet-4-5\`, or \`inherit\`.${configured}`
}
