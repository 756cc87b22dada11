import type { Argument } from "./resolve-word.ts"
import { placesOf, type Scene } from "./scene.ts"
import type { State } from "./state.ts"
import type { Redirect } from "./syntax.ts"

/** What a redirect reads or writes. */
export function judgeRedirect(
  scene: Scene,
  operator: Redirect["operator"],
  target: Argument,
  state: State,
): void {
  if (operator === "<<" || operator === "<<<") return
  const { value } = target
  if (operator === "<&" || operator === ">&") {
    if (value !== undefined && /^(?:[0-9]+-?|-)$/.test(value)) return
    // It may be split into a number, or be a file.
    if (value !== undefined && !/^[\w./-]+$/.test(value))
      return scene.found.unclear(`${operator}${target.written} is read twice`)
    if (operator === "<&") return scene.found.unclear(`<&${target.written} is not plain`)
  }
  if (value === undefined) {
    if (target.reason === undefined)
      scene.found.unclear(`a redirect to ${target.written} fits files not known yet`)
    return
  }
  if (harmlessDevices.test(value)) return
  const network = /^\/+dev\/+(?:tcp|udp)\/+([^/]+)/.exec(value)
  if (network) return scene.found.host(network[1]!)
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(value) && /dev\/+(?:tcp|udp)\//.test(value))
    return scene.found.unclear(`${target.written} may be a connection`)
  for (const { path } of placesOf(scene, target, state)) {
    if (harmlessDevices.test(path)) continue
    if (operator === "<" || operator === "<>") scene.found.path("read", path)
    if (operator !== "<") writes(scene, path)
  }
}

/** Tells that a path is written; a device is more than that. */
function writes(scene: Scene, path: string): void {
  if (isDevice(path)) scene.found.dangerous(`it writes to the device ${path}`)
  scene.found.path("write", path)
}

export const isDevice = (path: string): boolean =>
  /^\/dev\/(?!shm\/)/.test(path) && !harmlessDevices.test(path)

const harmlessDevices =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/[0-9]+|pts\/[0-9]+)$/
