import os from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { jsonlStore } from "../jsonl.ts"
import { locateDefaultDirectory } from "./directory.ts"

test("the default directory follows the environment and the platform", () => {
  const home = os.homedir()
  expect(locateDefaultDirectory({ CADRE_STATE_DIR: "/state" }, "linux")).toBe("/state/runs")
  expect(locateDefaultDirectory({ CADRE_STATE_DIR: "" }, "linux")).toBe(
    path.join(home, ".local/state/cadre/runs"),
  )
  expect(locateDefaultDirectory({ XDG_STATE_HOME: "/xdg" }, "linux")).toBe("/xdg/cadre/runs")
  expect(locateDefaultDirectory({ XDG_STATE_HOME: "relative" }, "linux")).toBe(
    path.join(home, ".local/state/cadre/runs"),
  )
  expect(locateDefaultDirectory({}, "darwin")).toBe(path.join(home, "Library/Application Support/cadre/runs"))
  expect(locateDefaultDirectory({ LOCALAPPDATA: "/local" }, "win32")).toBe("/local/cadre/runs")
})

test.each(["state", "./state", "../state", "~/state"])(
  "a state folder of %s is refused, wherever it is said",
  (written) => {
    const why = [`"${written}"`, "absolute"]
    expect(() => locateDefaultDirectory({ CADRE_STATE_DIR: written }, "linux")).toThrow(
      expect.objectContaining({
        code: "CONFIGURATION_INVALID",
        message: naming("CADRE_STATE_DIR ", ...why),
      }),
    )
    expect(() => jsonlStore({ directory: written })).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: naming(...why) }),
    )
  },
)
