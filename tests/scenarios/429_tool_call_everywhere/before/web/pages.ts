import { Router } from "./router";
import { Session } from "./session";

export interface Page {
  title: string;
  render(session: Session): string;
}

export class Home implements Page {
  title = "Home";

  render(session: Session): string {
    if (!session.user) {
      return "<p>Please sign in.</p>";
    }
    return `<h1>Hello, ${session.user.name}</h1>`;
  }
}

export class Orders implements Page {
  title = "Orders";

  render(session: Session): string {
    if (!session.user) {
      return "<p>Please sign in.</p>";
    }
    const rows = session.orders.map((order) => `<li>${order.id}</li>`);
    return `<ul>${rows.join("")}</ul>`;
  }
}

export function routes(router: Router): void {
  router.add("/", new Home());
  router.add("/orders", new Orders());
}
