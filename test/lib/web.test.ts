import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../lib/security-headers.ts';
import { composed, type Properties } from './templates.ts';

const { only, all, templates } = composed('prod');
const { DistributionConfig: site } = only('AWS::CloudFront::Distribution');
const origin = (id: string) => site.Origins.find(({ Id }: { Id: string }) => Id === id);
const behaviors = new Map<string, Record<string, unknown> & { TargetOriginId: string }>(
  site.CacheBehaviors.map((behavior: { PathPattern: string }) => [behavior.PathPattern, behavior]),
);

describe('the pages', () => {
  it('come from a private bucket that only this distribution may read', () => {
    const { OriginAccessControlId, DomainName } = origin(site.DefaultCacheBehavior.TargetOriginId);
    expect(OriginAccessControlId).toBeDefined();
    const controls = all('AWS::CloudFront::OriginAccessControl');
    expect(controls).toHaveLength(2);
    for (const { Properties } of controls) {
      expect(Properties.OriginAccessControlConfig).toMatchObject({
        OriginAccessControlOriginType: 's3',
        SigningBehavior: 'always',
      });
    }
    const policy = all('AWS::S3::BucketPolicy').find(
      ({ Properties }) => Properties.Bucket.Ref === DomainName['Fn::GetAtt'][0],
    );
    const allowed = policy?.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    );
    expect(allowed).toMatchObject([
      {
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      },
    ]);
  });

  it('are copied after their assets, and revalidated each time', () => {
    const [assets, html] = all('Custom::CDKBucketDeployment');
    expect(assets?.Properties).toMatchObject({
      Exclude: ['*'],
      Include: ['assets/*'],
      Prune: false,
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(html?.Properties).toMatchObject({
      Exclude: ['assets/*'],
      SystemMetadata: { 'cache-control': 'no-cache' },
    });
    const { resources } = templates.find(({ stack }) => stack === html?.stack) ?? {};
    expect(resources?.[html?.id ?? '']?.DependsOn).toContain(assets?.id);
  });

  it('are not copied by the local stack, which serves them from where they were built', () => {
    expect(composed('local').all('Custom::CDKBucketDeployment')).toEqual([]);
  });
});

describe('files that users upload', () => {
  const behavior = behaviors.get('/files/*');

  it('come from one path of a private bucket of their own', () => {
    const { OriginAccessControlId, DomainName } = origin(behavior?.TargetOriginId ?? '');
    expect(OriginAccessControlId).toBeDefined();
    expect(JSON.stringify(DomainName)).toContain('Objects');
    const allowed = all('AWS::S3::BucketPolicy')
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(
        ({ Effect, Principal }: Properties) =>
          Effect === 'Allow' && Principal.Service === 'cloudfront.amazonaws.com',
      );
    expect(
      allowed.map(({ Action, Resource }: Properties) => `${Action} ${JSON.stringify(Resource)}`),
    ).toContainEqual(expect.stringMatching(/^s3:GetObject .*Objects.*\/files\/\*/));
  });

  it('carry the security headers, so that none of them can run anything', () => {
    expect(behavior?.ResponseHeadersPolicyId).toEqual(site.DefaultCacheBehavior.ResponseHeadersPolicyId);
    expect(behavior?.FunctionAssociations).toBeUndefined();
  });
});

describe.each(['/api/*', '/t/*'])('%s on the same domain', path => {
  const behavior = behaviors.get(path);

  it('goes to the API over TLS, with the key that opens it', () => {
    const { DomainName, CustomOriginConfig, OriginCustomHeaders } = origin(behavior?.TargetOriginId ?? '');
    expect(JSON.stringify(DomainName)).toContain('ApiEndpoint');
    expect(CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
    expect(OriginCustomHeaders).toMatchObject([{ HeaderName: 'x-origin-key' }]);
    expect(JSON.stringify(OriginCustomHeaders)).toContain('{{resolve:secretsmanager:');
  });

  it('is never cached, takes every method, and passes on all of the request but its host', () => {
    expect(behavior).toMatchObject({
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
    });
  });

  it('keeps its errors: no page replaces them', () => {
    expect(behavior?.FunctionAssociations).toBeUndefined();
    expect(site.CustomErrorResponses).toBeUndefined();
  });
});

describe('the distribution', () => {
  it('answers for the domain of the stage, in current TLS and HTTP, behind its firewall', () => {
    expect(site).toMatchObject({
      Aliases: ['letterflow.example'],
      HttpVersion: 'http2and3',
      WebACLId: { 'Fn::GetStackOutput': { StackName: 'letterflow-prod-edge', Region: 'us-east-1' } },
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
    });
    const records = all('AWS::Route53::RecordSet').filter(({ stack }) => stack === 'letterflow-prod-web');
    expect(records.map(({ Properties: { Name, Type } }) => `${Type} ${Name}`)).toEqual([
      'A letterflow.example.',
      'AAAA letterflow.example.',
    ]);
  });

  it('puts the security headers on every answer', () => {
    const [policy, ...others] = all('AWS::CloudFront::ResponseHeadersPolicy');
    expect(others).toEqual([]);
    for (const behavior of [site.DefaultCacheBehavior, ...site.CacheBehaviors]) {
      expect(behavior.ResponseHeadersPolicyId).toEqual({ Ref: policy?.id });
      expect(behavior.Compress).toBe(true);
    }
    const { SecurityHeadersConfig, CustomHeadersConfig } =
      policy?.Properties.ResponseHeadersPolicyConfig ?? {};
    expect(SecurityHeadersConfig).toMatchObject({
      ContentSecurityPolicy: { ContentSecurityPolicy: CONTENT_SECURITY_POLICY, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'same-origin', Override: true },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, Override: true },
    });
    expect(CustomHeadersConfig.Items.map(({ Header }: { Header: string }) => Header)).toEqual([
      'Permissions-Policy',
      'Cross-Origin-Opener-Policy',
    ]);
  });
});

describe('the content security policy', () => {
  const directives = new Map(
    CONTENT_SECURITY_POLICY.split('; ').map(directive => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );

  it('allows nothing that it does not name', () => {
    for (const closed of ['default-src', 'object-src', 'base-uri', 'frame-ancestors']) {
      expect(directives.get(closed), closed).toEqual(["'none'"]);
    }
  });

  it('allows scripts of this origin alone, and no inline script', () => {
    expect(directives.get('script-src')).toEqual(["'self'"]);
  });

  it('names no other host, allows data: and https: for images alone, and unsafe-inline for styles alone', () => {
    for (const [name, sources] of directives) {
      const beyond = sources.filter(source => !["'self'", "'none'"].includes(source));
      const allowed: Record<string, string[]> = {
        'style-src': ["'unsafe-inline'"],
        'img-src': ['data:', 'https:'],
      };
      expect(beyond, name).toEqual(allowed[name] ?? []);
    }
  });
});
