import { isConfigurationTrusted } from "../../../definitions/authority/workspace-trust.ts"
import type { ExplainedSetting, SettingSource } from "../../../definitions/configuration/explain.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { renderText } from "../../../ground/diagnostics/render-text.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import type { Json } from "../../../ground/message.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { explainSettings } from "../settings.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import { readStandingAt } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const configCommand = defineCommand({
  name: "config",
  summary: "Show the effective configuration, and where each value comes from",
  arguments: [{ name: "key", doc: "One setting, or a group of settings. Default: all", count: "optional" }],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [
    { line: "cadre config", doc: "Show every setting with its file or variable" },
    { line: "cadre config limits --json", doc: "Print a group of settings as JSON" },
  ],
  async run({ arguments: { key }, options, stdout, stderr, colour, ...surroundings }) {
    const { directory } = surroundings
    const { settings, files, diagnostics } = explainSettings(surroundings)
    const workspace = openWorkspaceAt({ ...surroundings, stdout, stderr })
    const project = isConfigurationTrusted(workspace, readStandingAt(surroundings, workspace))
      ? "trusted"
      : "untrusted"
    const matches = settings.filter(
      (one) => key === undefined || one.key === key || one.key.startsWith(`${key}.`),
    )
    if (matches.length === 0)
      throw new UsageError(
        `Unknown setting ${JSON.stringify(key)}. ${listKnownNames(key!, new Set(settings.map((one) => one.key)))}`,
      )
    if (options.json)
      stdout.write(
        writeJsonText({
          settings: matches.map(shownSetting),
          files,
          diagnostics: diagnostics.map((diagnostic) => toDiagnosticJson(diagnostic, directory)),
        }),
      )
    else {
      stdout.write(
        `${formatTable([["KEY", "VALUE", "FROM"], ...matches.flatMap((one) => rows(one, directory, project))])}\n\n`,
      )
      for (const { file, of, exists } of files)
        stdout.write(
          `${exists ? "Read" : "Not found"}: ${escapeText(toDisplayPath(file, directory))} (${of})\n`,
        )
      if (diagnostics.length > 0)
        stderr.write(
          renderText(diagnostics, {
            colour,
            base: directory,
            source: () => undefined,
            fixWith: "`cadre check --fix`",
          }),
        )
    }
    return diagnostics.some(({ severity }) => severity === "error") ? exitCode.problems : exitCode.fine
  },
})

function rows(
  { key, value, from, untrusted }: ExplainedSetting,
  base: string,
  project: "trusted" | "untrusted",
): readonly (readonly string[])[] {
  const isOpen = untrusted && project === "untrusted"
  return [
    [key, valueText(key, value), `${sourceText(from, base)}${isOpen ? ", in runs only with --trust" : ""}`],
    ...(isOpen
      ? [
          [
            "",
            valueText(key, untrusted.value),
            `${sourceText(untrusted.from, base)}, in runs without --trust`,
          ],
        ]
      : []),
  ]
}

const valueText = (key: string, value: Json | undefined): string =>
  value === undefined ? "(not set)" : cutToOneLine(JSON.stringify(withoutSecrets(key, value)), 80)

function sourceText(source: SettingSource, base: string): string {
  switch (source.type) {
    case "default":
      return "default"
    case "environment":
      return source.variable
    default:
      return `${toDisplayPath(source.file, base)} (${source.type})`
  }
}

function shownSetting({ value, untrusted, ...setting }: ExplainedSetting) {
  return {
    ...setting,
    value: value === undefined ? null : withoutSecrets(setting.key, value),
    ...(untrusted && {
      untrusted: {
        ...untrusted,
        value: untrusted.value === undefined ? null : withoutSecrets(setting.key, untrusted.value),
      },
    }),
  }
}

const secret = /^(headers|api_?key|authorization|token|secret|password)$/i

/** Hides values such as headers, which often contain API keys. */
function withoutSecrets(key: string, value: Json): Json {
  if (key.split(".").some((part) => secret.test(part))) return hidden(value)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets("", item))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(name, inner)]))
}

function hidden(value: Json): Json {
  if (typeof value !== "object" || value === null) return "(hidden)"
  if (Array.isArray(value)) return value.map(hidden)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(inner)]))
}
