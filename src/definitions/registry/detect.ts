import { existsSync } from "node:fs"
import path from "node:path"
import { claude } from "../formats/claude.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { findBuiltInFormat } from "./built-in.ts"
import { type Foreign, parseData, recogniseByContent, recogniseData, recogniseInFolder } from "./foreign.ts"
import { recogniseByPlace } from "./foreign-places.ts"
import { detectDataFormat } from "./loose-data.ts"
import { readManifest } from "./root.ts"

export type Detection =
  | { readonly type: "format"; readonly format: Format }
  /** A file of another tool, which is named so that the user knows why it is skipped. */
  | { readonly type: "foreign"; readonly foreign: Foreign }
  /** No format has its ending, or its data do not look like an agent. */
  | { readonly type: "unknown"; readonly why: "ending" | "data" }

/** Finds the format of a file: by its folder, else by its name, its content and its ending. */
export function detectFormat(file: string, text = ""): Detection {
  const normal = `/${path.sep === "/" ? file : file.replaceAll(path.sep, "/")}`
  const ending = path.extname(normal).toLowerCase()
  const own = findBuiltInFormat(file)
  if (own) return { type: "format", format: own }
  for (const { format } of placesAround(normal))
    if (isOf(format, normal, ending)) {
      const foreign = recogniseInFolder(format, normal, text)
      return foreign ? { type: "foreign", foreign } : { type: "format", format }
    }
  const place = recogniseByPlace(normal)
  // Rules are text, so data that is clearly an agent is an agent, even in a folder of rules.
  const within = place?.kind === "rules" ? recogniseData(parseData(isData(ending) ? text : "")) : undefined
  const there = within?.kind === "agent" ? within : place
  // The name alone proves nothing: an agent may be called "settings".
  if (there && !(there.kind === "settings" && /["']?instructions["']?\s*:/.test(text)))
    return { type: "foreign", foreign: there }
  for (const format of formats)
    if (format.locations.only && isOf(format, normal, ending)) return { type: "format", format }
  const foreign = recogniseByContent(normal, text)
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

/** The places that contain a file. Cached for one folder, because consecutive files mostly share it. */
function placesAround(file: string): readonly FormatPlace[] {
  const length = file.lastIndexOf("/") + 1
  if (last && length === last.folder.length && file.startsWith(last.folder)) return last.places
  const folder = file.slice(0, length)
  last = { folder, places: places().filter((place) => folder.includes(place.folder)) }
  return last.places
}

let cachedPlaces: readonly FormatPlace[] | undefined

/** Every folder of every format, with slashes around it. */
function places(): readonly FormatPlace[] {
  cachedPlaces ??= formats.flatMap((format) =>
    [...format.locations.project, ...format.locations.user].map((folder) => ({
      format,
      folder: `/${folder}/`,
    })),
  )
  return cachedPlaces
}

/** Markdown outside every known folder is read as Claude Code's, like the many collections of its agents. */
function byEnding(ending: string, text: string): Detection {
  switch (ending) {
    case ".md":
    case ".markdown":
      return { type: "format", format: claude }
    case ".yaml":
    case ".yml":
    case ".json": {
      const format = detectDataFormat(parseData(text))
      return format ? { type: "format", format } : { type: "unknown", why: "data" }
    }
    default:
      return { type: "unknown", why: "ending" }
  }
}

/** The plugin whose `agents` folder contains the file. A file beside that folder describes the plugin. */
export function findPlugin(file: string): string | undefined {
  if (!file.includes("agents")) return undefined
  const whole = path.resolve(file)
  const at = `${whole}${path.sep}`.lastIndexOf(`${path.sep}agents${path.sep}`)
  if (at < 0) return undefined
  const folder = whole.slice(0, at)
  if (!plugins.has(folder)) plugins.set(folder, readPlugin(folder))
  return plugins.get(folder)
}

const plugins = new Map<string, string | undefined>()

/** Accepts only a plain name, because it becomes part of the names of the plugin's agents. */
function readPlugin(folder: string): string | undefined {
  const manifest = path.join(folder, ".claude-plugin", "plugin.json")
  if (!existsSync(manifest)) return undefined
  const names = [readManifest(manifest).name, path.basename(folder)]
  return names.find((name): name is string => /^[\w.-]{1,64}$/.test(String(name))) ?? "plugin"
}
