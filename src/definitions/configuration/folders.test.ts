import path from "node:path"
import { expect, test } from "vitest"
import { locateUserConfiguration } from "./folders.ts"

const home = path.resolve("/home/ada")

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string]>([
  ["its own variable", { CADRE_CONFIG_DIR: "/own", XDG_CONFIG_HOME: "/xdg" }, "linux", "/own"],
  ["a blank one", { CADRE_CONFIG_DIR: "" }, "linux", "/home/ada/.config/cadre"],
  ["Linux", {}, "linux", "/home/ada/.config/cadre"],
  ["XDG", { XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg/cadre"],
  ["a relative XDG", { XDG_CONFIG_HOME: "xdg" }, "linux", "/home/ada/.config/cadre"],
  ["macOS", { XDG_CONFIG_HOME: "/xdg" }, "darwin", "/home/ada/Library/Application Support/cadre"],
  ["Windows", { APPDATA: "/roaming" }, "win32", "/roaming/cadre"],
  ["Windows with a relative APPDATA", { APPDATA: "roaming" }, "win32", "/home/ada/AppData/Roaming/cadre"],
  ["Windows without APPDATA", {}, "win32", "/home/ada/AppData/Roaming/cadre"],
])("the user's folder by %s", (_, environment, platform, expected) => {
  expect(locateUserConfiguration(environment, home, platform)).toBe(path.resolve(expected))
})

test.each(["own", "./own", "../own", "~/own"])("a user's folder of %s is refused", (written) => {
  expect(() => locateUserConfiguration({ CADRE_CONFIG_DIR: written }, home, "linux")).toThrow(
    expect.objectContaining({
      code: "CONFIGURATION_INVALID",
      message: expect.stringContaining(`CADRE_CONFIG_DIR is "${written}"`),
    }),
  )
})
