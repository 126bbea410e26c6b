// https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/domain-webhooks
const TYPES = [
  'accepted',
  'clicked',
  'opened',
  'unsubscribed',
  'delivered',
  'permanent_fail',
  'temporary_fail',
  'complained',
];
const MOST_URLS = 3;

/** Where the events of each domain go. */
export type Webhooks = {
  /** Answers the addresses of this type, or what is wrong. */
  add: (domain: string, type: string, urls: string[]) => string[] | { refused: string };
  remove: (domain: string, type: string) => boolean;
  of: (domain: string) => Record<string, { urls: string[] }>;
};

export function createWebhooks(): Webhooks {
  const byDomain = new Map<string, Record<string, { urls: string[] }>>();
  const of = (domain: string) => byDomain.get(domain) ?? {};
  return {
    of,
    add(domain, type, urls) {
      if (!TYPES.includes(type)) return { refused: `Invalid webhook id: ${type}` };
      const odd = urls.find(url => !/^https?:\/\//.test(url) || !URL.canParse(url));
      if (urls.length === 0 || odd !== undefined) return { refused: `${odd ?? ''} is not a valid url` };
      const all = [...new Set([...(of(domain)[type]?.urls ?? []), ...urls])];
      if (all.length > MOST_URLS) return { refused: `At most ${MOST_URLS} urls for one webhook` };
      byDomain.set(domain, { ...of(domain), [type]: { urls: all } });
      return all;
    },
    remove(domain, type) {
      const { [type]: removed, ...rest } = of(domain);
      byDomain.set(domain, rest);
      return removed !== undefined;
    },
  };
}
