/** When the last of these was noted down, from what AWS's pages are known to say: they are not read from there. */
export const NOTED = '2026-11-28';

const page = (path: string) => `https://aws.amazon.com/${path}/pricing/`;

export type Price = { dollars: number; of: string; source: string };

/** US dollars in eu-central-1, without taxes, without free tiers except that of CloudWatch; CloudFront as in Europe. */
export const PRICES = {
  writeUnit: { dollars: 0.7625e-6, of: 'DynamoDB on demand: a write unit', source: page('dynamodb') },
  readUnit: { dollars: 0.1525e-6, of: 'a read unit', source: page('dynamodb') },
  storedGigabyte: { dollars: 0.306, of: 'a GB that is stored, a month', source: page('dynamodb') },
  backedUpGigabyte: {
    dollars: 0.2448,
    of: 'a GB that can be restored to any point in time, a month',
    source: page('dynamodb'),
  },
  invocation: { dollars: 0.2e-6, of: 'Lambda: an invocation', source: page('lambda') },
  gigabyteSecond: { dollars: 13.3334e-6, of: 'a second of a GB, on arm64', source: page('lambda') },
  queueRequest: { dollars: 0.4e-6, of: 'SQS: a request', source: page('sqs') },
  event: { dollars: 1e-6, of: 'EventBridge: an event of our own', source: page('eventbridge') },
  apiRequest: { dollars: 1.2e-6, of: 'API Gateway: a request of an HTTP API', source: page('api-gateway') },
  edgeRequest: { dollars: 1.2e-6, of: 'CloudFront: an HTTPS request', source: page('cloudfront') },
  edgeGigabyte: { dollars: 0.085, of: 'a GB to viewers', source: page('cloudfront') },
  firewall: { dollars: 5, of: 'WAF: a firewall, a month', source: page('waf') },
  firewallRule: { dollars: 1, of: 'a rule of it, a month', source: page('waf') },
  firewallRequest: { dollars: 0.6e-6, of: 'a request that it looks at', source: page('waf') },
  logGigabyte: { dollars: 0.63, of: 'CloudWatch: a GB of logs', source: page('cloudwatch') },
  alarmMetric: {
    dollars: 0.1,
    of: 'a metric of an alarm, a month; ten are free',
    source: page('cloudwatch'),
  },
  metric: { dollars: 0.3, of: 'a metric of our own, a month; ten are free', source: page('cloudwatch') },
  dashboard: { dollars: 3, of: 'a dashboard, a month; three are free', source: page('cloudwatch') },
  key: { dollars: 1, of: 'KMS: a key, a month', source: page('kms') },
  secret: { dollars: 0.4, of: 'Secrets Manager: a secret, a month', source: page('secrets-manager') },
  sesEmail: { dollars: 0.1e-3, of: 'SES: an email, without a plan', source: page('ses') },
  sesPlanEmail: {
    dollars: 0.16e-3,
    of: 'an email in an account created since 2026-07-21, until it leaves its plan',
    source: page('ses'),
  },
  mailgunEmail: {
    dollars: 0.8e-3,
    of: 'Mailgun: an email, about; by its plans',
    source: 'https://www.mailgun.com/pricing/',
  },
} satisfies Record<string, Price>;

export type Priced = keyof typeof PRICES;
export type Use = Partial<Record<Priced, number>>;

export const dollarsOf = (use: Use): number =>
  Object.entries(use).reduce((sum, [name, count]) => sum + PRICES[name as Priced].dollars * count, 0);

export const times = (use: Use, factor: number): Use =>
  Object.fromEntries(Object.entries(use).map(([name, count]) => [name, count * factor]));

export function plus(...uses: Use[]): Use {
  const sum: Use = {};
  for (const use of uses) {
    for (const [name, count] of Object.entries(use)) {
      sum[name as Priced] = (sum[name as Priced] ?? 0) + count;
    }
  }
  return sum;
}
