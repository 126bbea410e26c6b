import { describe, expect, it } from 'vitest';
import { composed, type Properties } from './templates.ts';

const { only, stacks } = composed('prod');
const { Scope, Rules, CustomResponseBodies } = only('AWS::WAFv2::WebACL');
const rule = (name: string): Properties => Rules.find((found: Properties) => found.Name === name);

it('certificate and firewall are in the region in which CloudFront looks for them', () => {
  expect(stacks.edge.region).toBe('us-east-1');
  expect(Scope).toBe('CLOUDFRONT');
  expect(only('AWS::CertificateManager::Certificate')).toMatchObject({
    DomainName: 'letterflow.example',
    ValidationMethod: 'DNS',
  });
});

describe('the firewall', () => {
  it('has the managed rules of AWS', () => {
    const managed = Rules.flatMap(
      ({ Statement }: Properties) => Statement.ManagedRuleGroupStatement?.Name ?? [],
    );
    expect(managed).toEqual([
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
    ]);
  });

  it('only counts long bodies, HTML and requests without a user agent', () => {
    const { RuleActionOverrides } = rule('AWSManagedRulesCommonRuleSet').Statement.ManagedRuleGroupStatement;
    expect(RuleActionOverrides).toEqual(
      [
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'GenericRFI_BODY',
        'GenericLFI_BODY',
        'NoUserAgent_HEADER',
      ].map(Name => ({
        Name,
        ActionToUse: { Count: {} },
      })),
    );
  });

  it('limits the calls of one IP address, sign-in more than the rest, and tracking not at all', () => {
    const limits = Rules.flatMap(({ Statement: { RateBasedStatement: limit } }: Properties) =>
      limit ? [[limit.ScopeDownStatement.ByteMatchStatement.SearchString, limit.Limit]] : [],
    );
    expect(limits).toEqual([
      ['/api/login/', 100],
      ['/api/', 3000],
    ]);
  });

  it('answers too many calls with JSON and Retry-After', () => {
    const { CustomResponse } = rule('Limit-api').Action.Block;
    expect(CustomResponse).toMatchObject({
      ResponseCode: 429,
      ResponseHeaders: [{ Name: 'Retry-After', Value: '300' }],
    });
    const { ContentType, Content } = CustomResponseBodies[CustomResponse.CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content).message).toMatch(/^Too many calls/);
  });

  it('keeps no samples, as a path may carry a token', () => {
    for (const { Name, VisibilityConfig } of Rules) {
      expect(VisibilityConfig.SampledRequestsEnabled, Name).toBe(false);
    }
  });
});
