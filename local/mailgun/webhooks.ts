import { EVENTS, webhookOf } from './events.ts';

/** Where the events of each domain are posted. */
export type Webhooks = {
  /** Returns why a webhook is refused; undefined where it is added. */
  add: (domain: string, kind: string, url: string) => string | undefined;
  urls: (domain: string, kind: string) => string[];
};

const KINDS = EVENTS.map(webhookOf);

export function createWebhooks(): Webhooks {
  const added = new Map<string, string[]>();
  const keyOf = (domain: string, kind: string) => `${domain} ${kind}`;
  const urls: Webhooks['urls'] = (domain, kind) => added.get(keyOf(domain, kind)) ?? [];
  return {
    urls,
    add(domain, kind, url) {
      if (!KINDS.includes(kind)) return `Invalid webhook id: ${kind}`;
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return `${url} is not a valid url`;
      added.set(keyOf(domain, kind), [...urls(domain, kind), url]);
      return undefined;
    },
  };
}
