import path from "node:path"

/** A path for people: relative to a folder if the file is in it, otherwise as given. */
export function toDisplayPath(file: string, base: string | undefined): string {
  if (base === undefined || !path.isAbsolute(file)) return file
  if (file.startsWith(base) && file[base.length] === path.sep) {
    const below = file.slice(base.length + 1)
    if (!dotSteps.test(below)) return below
  }
  const relative = path.relative(base, file)
  return relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative)
    ? file
    : relative
}

/** Matches empty, `.` and `..` steps. A path without them is below a folder if it begins with it. */
const dotSteps = /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/

/** The same with `/`, for everything but terminals. */
export function toPortablePath(file: string, base: string | undefined): string {
  return toDisplayPath(file, base).split(path.sep).join("/")
}
