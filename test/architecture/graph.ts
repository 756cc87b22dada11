import fs from "node:fs"
import path from "node:path"
import ts from "typescript"

/** An import from one file of a source folder to another, by value, by type or at first use. */
export interface Import {
  readonly from: string
  readonly to: string
}

/** The sources below a folder, without tests, as paths from it. */
export const sourcesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()

export const importsIn = (folder: string): readonly Import[] =>
  sourcesIn(folder).flatMap((from) => {
    const text = fs.readFileSync(path.join(folder, from), "utf8")
    return ts
      .preProcessFile(text)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith("."))
      .map((name) => ({ from, to: path.posix.join(path.posix.dirname(from), name) }))
      .filter(({ to }) => fs.existsSync(path.join(folder, to)))
  })

/** Each group of files of which every one leads to every other, largest first (Tarjan). */
export function cyclesIn(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const [number, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    number.set(file, number.size)
    low.set(file, number.get(file)!)
    stack.push(file)
    for (const other of next.get(file) ?? []) {
      if (!number.has(other)) visit(other)
      if (stack.includes(other)) low.set(file, Math.min(low.get(file)!, low.get(other)!))
    }
    if (low.get(file) !== number.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1 || next.get(file)?.includes(file)) found.push(group.sort())
  }
  for (const file of next.keys()) if (!number.has(file)) visit(file)
  return found.sort((one, other) => other.length - one.length)
}
