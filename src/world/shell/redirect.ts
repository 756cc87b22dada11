import type { ShellArgument } from "./resolve-word.ts"
import { resolvePaths, type Scene } from "./scene.ts"
import type { ShellState } from "./state.ts"
import type { Redirect } from "./syntax.ts"

/** Reports the file or host that a redirect reads or writes. */
export function judgeRedirect(
  scene: Scene,
  operator: Redirect["operator"],
  target: ShellArgument,
  state: ShellState,
): void {
  if (operator === "<<" || operator === "<<<") return
  const { value } = target
  if (operator === "<&" || operator === ">&") {
    if (value !== undefined && /^(?:[0-9]+-?|-)$/.test(value)) return
    if (value !== undefined && !/^[\w./-]+$/.test(value))
      return scene.findings.addUnclear(
        `${operator}${target.written} may be split into a number, or be a file`,
      )
    if (operator === "<&") return scene.findings.addUnclear(`the target of <&${target.written} is unknown`)
  }
  if (value === undefined) {
    if (target.reason === undefined)
      scene.findings.addUnclear(`the target of a redirect to ${target.written} depends on the existing files`)
    return
  }
  if (harmlessDevices.test(value)) return
  const network = /^\/+dev\/+(?:tcp|udp)\/+([^/]+)/.exec(value)
  if (network) return scene.findings.addHost(network[1]!)
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(value) && /dev\/+(?:tcp|udp)\//.test(value))
    return scene.findings.addUnclear(`${target.written} may be a network connection`)
  for (const { path } of resolvePaths(scene, target, state)) {
    if (harmlessDevices.test(path)) continue
    if (operator === "<" || operator === "<>") scene.findings.addPath("read", path)
    if (operator !== "<") reportWrite(scene, path)
  }
}

/** Reports a write to a path, and a danger where the path is a device. */
function reportWrite(scene: Scene, path: string): void {
  if (isDevice(path)) scene.findings.addDangerous(`the command writes to the device ${path}`)
  scene.findings.addPath("write", path)
}

export const isDevice = (path: string): boolean =>
  /^\/dev\/(?!shm\/)/.test(path) && !harmlessDevices.test(path)

const harmlessDevices =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/[0-9]+|pts\/[0-9]+)$/
