import { loadLocale } from "./locale";

export type ChannelName = "email" | "sms" | "browser";

export interface Settings {
  channel: ChannelName;
  language: string;
  events: string[];
}

export const defaults: Settings = {
  channel: "email",
  language: "en",
  events: ["shipped", "delivered"],
};

const STORAGE_KEY = "pigeon.settings";

/** Reads the settings; what is missing or broken is default. */
export function load(storage: Storage): Settings {
  const text = storage.getItem(STORAGE_KEY);
  if (text === null) {
    return { ...defaults };
  }
  try {
    return { ...defaults, ...JSON.parse(text) };
  } catch {
    return { ...defaults };
  }
}

/** Writes the settings and switches the page's language. */
export async function save(storage: Storage, next: Settings) {
  storage.setItem(STORAGE_KEY, JSON.stringify(next));
  await loadLocale(next.language);
}

export class SettingsForm {
  constructor(private readonly form: HTMLFormElement) {}

  read(): Settings {
    const data = new FormData(this.form);
    return {
      channel: data.get("channel") as ChannelName,
      language: String(data.get("language") ?? "en"),
      events: data.getAll("events").map(String),
    };
  }

  show(settings: Settings): void {
    for (const [name, value] of Object.entries(settings)) {
      const field = this.form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) {
        field.value = String(value);
      }
    }
  }
}
