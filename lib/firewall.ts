import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';

// Counted, not blocked: each of these rules would refuse calls that the product needs.
const COUNTED = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: [],
  AWSManagedRulesCommonRuleSet: [
    // The public API takes members in bodies far beyond 8 KB.
    'SizeRestrictions_BODY',
    // It blocks paths of more than 1,024 bytes: the link of a click holds its whole destination.
    'SizeRestrictions_URIPATH',
    // It blocks those of more than 2,048 bytes.
    'SizeRestrictions_QUERYSTRING',
    // Email content is HTML with links.
    'CrossSiteScripting_BODY',
    'GenericRFI_BODY',
    'GenericLFI_BODY',
    // One-click unsubscribes and provider events are posted by machines that name no browser.
    'NoUserAgent_HEADER',
  ],
};

const WINDOW_SECONDS = 300;
/** Calls by one address within that window. Not for tracking: a mail provider's proxy calls for thousands of people. */
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
            // The router decodes paths too, so an escaped path counts as the same one.
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

/** Metrics only: samples would keep paths, and paths carry tokens. */
export function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

/** Errors are JSON everywhere. */
export const REFUSALS: Record<string, CfnWebACL.CustomResponseBodyProperty> = {
  TooMany: {
    contentType: 'APPLICATION_JSON',
    content: JSON.stringify({ message: 'Too many calls. Please wait a few minutes.' }),
  },
};
