import { existsSync } from "node:fs"
import path from "node:path"
import { claude } from "../formats/claude.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { builtInFormat } from "./built-in.ts"
import { dataOf, type Foreign, foreignByContent, foreignData, foreignInPlace } from "./foreign.ts"
import { foreignByPlace } from "./foreign-places.ts"
import { formatOfData } from "./loose-data.ts"
import { readManifest } from "./root.ts"

export type Detected =
  | { readonly type: "format"; readonly format: Format }
  /** Named so that whoever has such a file knows why it is not there. */
  | { readonly type: "foreign"; readonly foreign: Foreign }
  /** Its ending is nobody's, or its data are no agent's. */
  | { readonly type: "unknown"; readonly why: "ending" | "data" }

/** Which format a file is in: by the folder it lies in, else by its name, what it says, and its ending. */
export function detectFormat(file: string, text = ""): Detected {
  const normal = `/${path.sep === "/" ? file : file.replaceAll(path.sep, "/")}`
  const ending = path.extname(normal).toLowerCase()
  const own = builtInFormat(file)
  if (own) return { type: "format", format: own }
  for (const { format } of placesAround(normal))
    if (isOf(format, normal, ending)) {
      const foreign = foreignInPlace(format, normal, text)
      return foreign ? { type: "foreign", foreign } : { type: "format", format }
    }
  const place = foreignByPlace(normal)
  // Rules are text: data among them that is plainly an agent's is that.
  const within = place?.kind === "rules" ? foreignData(dataOf(isData(ending) ? text : "")) : undefined
  const there = within?.kind === "agent" ? within : place
  // Such a name is no proof: an agent may be called "settings".
  if (there && !(there.kind === "settings" && /["']?instructions["']?\s*:/.test(text)))
    return { type: "foreign", foreign: there }
  for (const format of formats)
    if (format.locations.only && isOf(format, normal, ending)) return { type: "format", format }
  const foreign = foreignByContent(normal, text)
  if (foreign) return { type: "foreign", foreign }
  return byEnding(ending, text)
}

const isData = (ending: string): boolean => [".yaml", ".yml", ".json"].includes(ending)

const isOf = ({ locations: { extensions, only } }: Format, file: string, ending: string): boolean =>
  extensions.includes(ending) && (only === undefined || only.test(file))

interface FormatPlace {
  readonly format: Format
  readonly folder: string
}

let last: { readonly folder: string; readonly places: readonly FormatPlace[] } | undefined

/** The places that a file lies in; files that come one after the other mostly lie in the same. */
function placesAround(file: string): readonly FormatPlace[] {
  const length = file.lastIndexOf("/") + 1
  if (last && length === last.folder.length && file.startsWith(last.folder)) return last.places
  const folder = file.slice(0, length)
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
function byEnding(ending: string, text: string): Detected {
  switch (ending) {
    case ".md":
    case ".markdown":
      return { type: "format", format: claude }
    case ".yaml":
    case ".yml":
    case ".json": {
      const format = formatOfData(dataOf(text))
      return format ? { type: "format", format } : { type: "unknown", why: "data" }
    }
    default:
      return { type: "unknown", why: "ending" }
  }
}

/** The plugin whose `agents` folder a file lies in: it is described by a file beside that folder. */
export function pluginOf(file: string): string | undefined {
  if (!file.includes("agents")) return undefined
  const whole = path.resolve(file)
  const at = `${whole}${path.sep}`.lastIndexOf(`${path.sep}agents${path.sep}`)
  if (at < 0) return undefined
  const folder = whole.slice(0, at)
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
