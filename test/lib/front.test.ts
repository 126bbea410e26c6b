import { describe, expect, it } from 'vitest';
import { composed, type Variant } from './templates.ts';

const WITHOUT: Variant[] = ['local', 'dev', 'dev with an address'];
const WITH: Variant[] = ['dev with a domain', 'prod'];

const publicUrls = (variant: Variant): unknown[] =>
  composed(variant)
    .functions()
    .flatMap(({ Properties }) => Properties.Environment.Variables.PUBLIC_URL ?? []);
const TYPE = 'AWS::CloudFront::Distribution';
/** That of the stage, and that of tracking domains. */
const ofStage = (variant: Variant) =>
  composed(variant)
    .all(TYPE)
    .filter(({ Properties }) => !Properties.DistributionConfig.ConnectionMode);
const ofTracking = (variant: Variant) =>
  composed(variant)
    .all(TYPE)
    .filter(one => !ofStage(variant).some(({ id }) => id === one.id));
const distributionOf = (variant: Variant) => ofStage(variant)[0]?.Properties.DistributionConfig;
const namesOf = (variant: Variant) =>
  composed(variant)
    .all('AWS::Route53::RecordSet')
    .filter(({ stack }) => stack.endsWith('-front'))
    .map(({ Properties: { Name, Type } }) => `${Type} ${Name}`);

describe.each(WITHOUT)('%s, without a domain,', variant => {
  it('begins its links with the name of its distribution', () => {
    const { templates } = composed(variant);
    const [{ id } = { id: '' }] = ofStage(variant);
    const name = templates
      .flatMap(({ outputs }) => Object.values(outputs))
      .find(({ Value, Export }) => Export && Value['Fn::GetAtt']?.join() === `${id},DomainName`);
    const urls = new Set(publicUrls(variant).map(url => JSON.stringify(url)));
    expect([...urls].map(url => JSON.parse(url))).toEqual([
      { 'Fn::Join': ['', ['https://', { 'Fn::ImportValue': name?.Export.Name }]] },
    ]);
  });

  it('has nothing in another region, no certificate, no firewall and no record of DNS', () => {
    const { stacks, all } = composed(variant);
    expect(new Set(Object.values(stacks).map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
    for (const type of [
      'AWS::CertificateManager::Certificate',
      'AWS::WAFv2::WebACL',
      'AWS::Route53::RecordSet',
    ])
      expect(all(type), type).toEqual([]);
    const config = distributionOf(variant);
    for (const absent of ['Aliases', 'ViewerCertificate', 'WebACLId'])
      expect(config).not.toHaveProperty(absent);
  });
});

describe.each(WITH)('%s', variant => {
  it('begins its links with its domain, which leads to the distribution', () => {
    const { domain } = composed(variant);
    expect(new Set(publicUrls(variant))).toEqual(new Set([`https://${domain}`]));
    expect(distributionOf(variant)).toMatchObject({
      Aliases: [domain],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
      WebACLId: expect.anything(),
    });
    expect(namesOf(variant)).toEqual([`A ${domain}.`, `AAAA ${domain}.`, `CNAME *.links.${domain}.`]);
  });
});

it.each(WITH)(
  '%s serves tracking domains by a distribution for tenants alone, with nothing that these may not have',
  variant => {
    expect(ofTracking(variant)).toHaveLength(1);
    const config = ofTracking(variant)[0]?.Properties.DistributionConfig;
    expect(config).toMatchObject({
      ConnectionMode: 'tenant-only',
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
      WebACLId: expect.anything(),
      DefaultCacheBehavior: { FunctionAssociations: [{ EventType: 'viewer-request' }] },
    });
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/distribution-config-options.html#unsupported-saas
    for (const absent of [
      'Aliases',
      'IPV6Enabled',
      'PriceClass',
      'Logging',
      'CacheBehaviors',
      'DefaultRootObject',
    ])
      expect(config).not.toHaveProperty(absent);
  },
);

it('a stage without a domain has no tracking domains, but for the local one', () => {
  expect([...WITHOUT, ...WITH].filter(variant => ofTracking(variant).length > 0)).toEqual(['local', ...WITH]);
  const targets = (variant: Variant) =>
    composed(variant)
      .functions()
      .flatMap(({ Properties }) => Properties.Environment.Variables.TRACKING_TARGET ?? []);
  expect([targets('dev'), targets('local')]).toEqual([[''], ['links.letterflow.localhost']]);
});

it('the firewall of a domain is a choice: prod has it, unless cdk.json says otherwise', () => {
  expect(composed('prod').all('AWS::WAFv2::WebACL')).toHaveLength(1);
  expect(composed('prod without a firewall').all('AWS::WAFv2::WebACL')).toEqual([]);
  expect(distributionOf('prod without a firewall')).not.toHaveProperty('WebACLId');
  expect(distributionOf('prod without a firewall')).toHaveProperty('ViewerCertificate');
});

it('a domain that is added later changes neither the distribution, which answers on its own name too, nor any key', () => {
  const [before, after] = [composed('dev'), composed('dev with a domain')];
  const kept = ['AWS::ApiGatewayV2::Api', 'AWS::SecretsManager::Secret'];
  expect(ofStage('dev').map(({ id }) => id)).toEqual(ofStage('dev with a domain').map(({ id }) => id));
  for (const type of kept) {
    const [first, later] = [before, after].map(({ all }) =>
      all(type).map(({ stack, id }) => `${stack}/${id}`),
    );
    expect(first, type).toEqual(later);
  }
  const settled = (variant: Variant) => {
    const { Aliases, ViewerCertificate, WebACLId, ...rest } = distributionOf(variant);
    return rest;
  };
  expect(settled('dev')).toEqual(settled('dev with a domain'));
});

it('a stack has no parameter of ours: its value would outlive each change', () => {
  for (const variant of [...WITHOUT, ...WITH])
    for (const { stack, parameters } of composed(variant).templates)
      expect(Object.keys(parameters), stack).toEqual(['BootstrapVersion']);
});
