import { existsSync } from "node:fs"
import path from "node:path"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { builtInFormat } from "./built-in.ts"
import { readManifest } from "./root.ts"

/** Formats that other tools write and cadre cannot read yet, by where their files lie. */
const later: readonly { readonly title: string; readonly pattern: RegExp }[] = [
  { title: "Codex TOML", pattern: /\.toml$/ },
  { title: "GitHub Copilot", pattern: /\.(agent|chatmode)\.md$|(^|\/)\.github\/agents\// },
  { title: "opencode", pattern: /\/\.opencode\/|(^|\/)opencode\.jsonc?$/ },
  { title: "Gemini CLI", pattern: /\/\.gemini\/agents\// },
  { title: "Cursor", pattern: /\/\.cursor\/agents\// },
  { title: "Goose", pattern: /\/(\.goose|recipes?)\/|\.recipe\.ya?ml$/ },
]

/** One look for all of them: most files are none of these. */
const anyLater = new RegExp(later.map(({ pattern }) => pattern.source).join("|"))

export type Detected =
  | { readonly type: "format"; readonly format: Format }
  /** Named so that whoever has such a file knows why it is not there. */
  | { readonly type: "later"; readonly title: string }
  | { readonly type: "unknown" }

/** Which format a file is in: by the folder it lies in, else by its ending. */
export function detectFormat(file: string): Detected {
  const normal = `/${path.sep === "/" ? file : file.replaceAll(path.sep, "/")}`
  const ending = path.extname(normal).toLowerCase()
  const own = builtInFormat(file)
  if (own) return { type: "format", format: own }
  for (const { format } of placesAround(normal))
    if (isOf(format, normal, ending)) return { type: "format", format }
  if (anyLater.test(normal))
    for (const { title, pattern } of later) if (pattern.test(normal)) return { type: "later", title }
  for (const format of formats)
    if (format.locations.only && isOf(format, normal, ending)) return { type: "format", format }
  const format = byEnding(ending)
  return format ? { type: "format", format } : { type: "unknown" }
}

const isOf = ({ locations: { extensions, only } }: Format, file: string, ending: string): boolean =>
  extensions.includes(ending) && (only === undefined || only.test(file))

interface FormatPlace {
  readonly format: Format
  readonly folder: string
}

let last: { readonly folder: string; readonly places: readonly FormatPlace[] } | undefined

/** The places that a file lies in; files that come one after the other mostly lie in the same. */
function placesAround(file: string): readonly FormatPlace[] {
  const folder = file.slice(0, file.lastIndexOf("/") + 1)
  if (last?.folder !== folder)
    last = { folder, places: places().filter((place) => folder.includes(place.folder)) }
  return last.places
}

let known: readonly FormatPlace[] | undefined

/** Every folder of every format, with slashes around it. */
function places(): readonly FormatPlace[] {
  known ??= formats.flatMap((format) =>
    [...format.locations.project, ...format.locations.user].map((folder) => ({
      format,
      folder: `/${folder}/`,
    })),
  )
  return known
}

/** Markdown that lies anywhere is what Claude Code and its many collections write. */
function byEnding(ending: string): Format | undefined {
  switch (ending) {
    case ".md":
    case ".markdown":
      return formats.find(({ id }) => id === "claude")
    case ".yaml":
    case ".yml":
    case ".json":
      return formats.find(({ id }) => id === "cadre")
    default:
      return undefined
  }
}

/** The plugin whose `agents` folder a file lies in: it is described by a file beside that folder. */
export function pluginOf(file: string): string | undefined {
  if (!file.includes("agents")) return undefined
  const parts = path.resolve(file).split(path.sep)
  const at = parts.lastIndexOf("agents")
  if (at < 1) return undefined
  const folder = parts.slice(0, at).join(path.sep)
  if (!plugins.has(folder)) plugins.set(folder, readPlugin(folder))
  return plugins.get(folder)
}

const plugins = new Map<string, string | undefined>()

/** A plugin cannot choose a name that is not one: it becomes part of every name of its agents. */
function readPlugin(folder: string): string | undefined {
  const manifest = path.join(folder, ".claude-plugin", "plugin.json")
  if (!existsSync(manifest)) return undefined
  const names = [readManifest(manifest).name, path.basename(folder)]
  return names.find((name): name is string => /^[\w.-]{1,64}$/.test(String(name))) ?? "plugin"
}
