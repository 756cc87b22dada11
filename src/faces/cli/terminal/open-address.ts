import { spawn } from "node:child_process"
import { findSystemProgram } from "../../../ground/system-program.ts"

/**
 * Opens an address in the user's browser, without a shell. The address was checked: it begins with http. The program gets
 * only the variables that a desktop needs. Returns false if there is no program for that.
 */
export function openAddress(address: string): boolean {
  const program = findSystemProgram(process.platform === "darwin" ? "open" : "xdg-open")
  if (program === undefined || !/^https?:\/\//.test(address)) return false
  const environment = Object.entries(process.env).filter(([name]) => desktopVariables.test(name))
  const child = spawn(program, [address], {
    stdio: "ignore",
    detached: true,
    env: Object.fromEntries(environment),
  })
  // The address is printed, too, so a browser that does not start is no failure.
  child.on("error", () => {})
  child.unref()
  return true
}

const desktopVariables =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|BROWSER|DESKTOP_SESSION|KDE_\w+|GNOME_\w+)$/
