import { Settings } from "./settings";
import { translate } from "./locale";

export interface ParcelEvent {
  parcel: string;
  kind: "shipped" | "delayed" | "delivered";
  at: Date;
}

const icons: Record<ParcelEvent["kind"], string> = {
  shipped: "📦",
  delayed: "⏳",
  delivered: "🏠",
};

function wanted(event: ParcelEvent, settings: Settings) {
  return settings.events.includes(event.kind);
}

/** Shows a message in the corner of the page. */
export async function toast(event: ParcelEvent, settings: Settings) {
  if (!wanted(event, settings)) {
    return;
  }
  const text = await translate(event.kind, settings.language);
  const box = document.createElement("output");
  box.textContent = `${icons[event.kind]} ${text}`;
  document.body.append(box);
}

/** Shows a message of the system, if the browser may. */
export async function push(event: ParcelEvent, settings: Settings) {
  if (!wanted(event, settings)) {
    return;
  }
  const text = await translate(event.kind, settings.language);
  if (Notification.permission === "granted") {
    new Notification(`${icons[event.kind]} ${text}`, {
      tag: event.parcel,
      timestamp: event.at.getTime(),
    });
  }
}
