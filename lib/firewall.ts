import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';

// These rules count instead of blocking: each of them would block requests that the product needs.
const COUNTED = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: [],
  AWSManagedRulesCommonRuleSet: [
    // The public API takes bodies far larger than 8 KB.
    'SizeRestrictions_BODY',
    // Blocks paths longer than 1,024 bytes, but a click link contains its whole destination.
    'SizeRestrictions_URIPATH',
    // Blocks query strings longer than 2,048 bytes.
    'SizeRestrictions_QUERYSTRING',
    // An assistant on a computer is connected by an address with the IP of that.
    'GenericRFI_QUERYARGUMENTS',
    // Email content is HTML with links.
    'CrossSiteScripting_BODY',
    'GenericRFI_BODY',
    'GenericLFI_BODY',
    // One-click unsubscribes and provider events come from programs without a User-Agent.
    'NoUserAgent_HEADER',
  ],
};

const WINDOW_SECONDS = 300;
/**
 * The most requests from one address within that window. Tracking has no limit: the proxy of a mail provider makes requests
 * for thousands of people. Nor has `/mcp`: a hosted assistant calls for many organizations from few addresses, and each of its
 * tokens has the limits of programs.
 */
const LIMITS = { '/api/login/': 100, '/api/': 3000 };

export const FIREWALL_RULES: CfnWebACL.RuleProperty[] = [
  ...Object.entries(LIMITS).map(([path, limit]) => ({
    name: `Limit${path.replaceAll('/', '-')}`.replace(/-$/, ''),
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: 'TooMany',
          responseHeaders: [{ name: 'Retry-After', value: String(WINDOW_SECONDS) }],
        },
      },
    },
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        evaluationWindowSec: WINDOW_SECONDS,
        scopeDownStatement: {
          byteMatchStatement: {
            fieldToMatch: { uriPath: {} },
            positionalConstraint: 'STARTS_WITH',
            searchString: path,
            // The router decodes paths too, so an escaped path counts like the plain one.
            textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({
              type,
              priority,
            })),
          },
        },
      },
    },
  })),
  ...Object.entries(COUNTED).map(([name, counted]) => ({
    name,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: counted.map(rule => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  })),
].map((rule, priority) => ({ ...rule, priority, visibilityConfig: visible(rule.name) }));

/** Metrics without samples: a sample would store the path of a request, and paths contain tokens. */
export function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

export const REFUSALS: Record<string, CfnWebACL.CustomResponseBodyProperty> = {
  TooMany: {
    contentType: 'APPLICATION_JSON',
    content: JSON.stringify({ message: 'Too many calls. Please wait a few minutes.' }),
  },
};
