import { cyclesIn, type Import, importsIn, sourcesIn } from "./graph.ts"
import type { House } from "./house.ts"

const mostFiles = 45

/** Whatever in a source folder is not as its house says, a line each. */
export function problemsOf(folder: string, house: House): readonly string[] {
  const [files, imports] = [sourcesIn(folder), importsIn(folder)]
  return [
    ...strangers(files, house),
    ...imports.flatMap((one) => upward(one, house)),
    ...cyclesIn(imports).map((cycle) => `files in a circle: ${cycle.join(" ")}`),
    ...crowded(files),
  ]
}

/** Files in a place that the house does not list, and places of the list that hold no file. */
function strangers(files: readonly string[], house: House): readonly string[] {
  const listed = house.floors.flatMap(([floor, rooms]) =>
    rooms.length === 0 ? [floor] : rooms.map((room) => `${floor}/${room}`),
  )
  const places = new Set(files.map(placeOf))
  return [
    ...[...places].filter((place) => !listed.includes(place)).map((place) => `not in the list: ${place}`),
    ...listed.filter((place) => !places.has(place)).map((place) => `in the list, and not there: ${place}`),
  ]
}

function upward({ from, to }: Import, house: House): readonly string[] {
  const order = house.floors.flatMap(([floor, rooms]) =>
    rooms.length === 0 ? [floor] : rooms.map((room) => `${floor}/${room}`),
  )
  return order.indexOf(placeOf(to)) > order.indexOf(placeOf(from)) ? [`upward: ${from} imports ${to}`] : []
}

/** The floor and room of a file; an entry point is a place of its own. */
function placeOf(file: string): string {
  const [floor = "", room, ...rest] = file.split("/")
  return room === undefined ? floor : `${floor}/${rest.length === 0 ? "." : room}`
}

function crowded(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const place = file.slice(0, Math.max(0, file.lastIndexOf("/")))
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return [...counts].flatMap(([place, count]) =>
    count > mostFiles ? [`${count} files in one folder: ${place}`] : [],
  )
}
