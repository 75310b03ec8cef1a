import { lessonPanelState } from "../../../core/learn/lessonState.ts";
import type { Services } from "../../services.ts";

/** Opens the guided path where the user left it. */
export async function learn(services: Services): Promise<void> {
  await services.panels.show({ state: lessonPanelState(services.lessons.step), preserveFocus: false });
}
