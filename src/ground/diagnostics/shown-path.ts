import path from "node:path"

/** A file as people look for it: relative to a folder where it lies in it, otherwise as it was given. */
export function shownPath(file: string, base: string | undefined): string {
  if (base === undefined || !path.isAbsolute(file)) return file
  if (file.startsWith(base) && file[base.length] === path.sep) {
    const below = file.slice(base.length + 1)
    if (!unsettled.test(below)) return below
  }
  const relative = path.relative(base, file)
  return relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative)
    ? file
    : relative
}

/** A step that leads nowhere or back: of what has none, the beginning alone tells where it lies. */
const unsettled = /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/

/** The same with `/`, as everything wants it that is not a terminal. */
export function portablePath(file: string, base: string | undefined): string {
  return shownPath(file, base).split(path.sep).join("/")
}
