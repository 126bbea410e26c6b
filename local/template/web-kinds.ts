import * as z from 'zod/mini';

const text = z.string();
const flag = z.boolean();
const count = z.coerce.number<number | string>();
const option = z.optional;
const object = z.strictObject;
const texts = z.array(text);

const HeaderText = object({ Override: flag });

const Behavior = object({
  PathPattern: option(text),
  TargetOriginId: text,
  AllowedMethods: option(texts),
  Compress: option(flag),
  ViewerProtocolPolicy: text,
  CachedMethods: option(texts),
  CachePolicyId: option(text),
  OriginRequestPolicyId: option(text),
  ResponseHeadersPolicyId: option(text),
  FunctionAssociations: option(z.array(object({ EventType: text, FunctionARN: text }))),
});

/** What answers HTTP: see kinds.ts. */
export const WEB_KINDS = {
  'AWS::ApiGatewayV2::Api': {
    shape: object({
      Name: text,
      ProtocolType: z.literal('HTTP'),
    }),
    moot: ['Description', 'DisableExecuteApiEndpoint', 'Tags'],
  },
  'AWS::ApiGatewayV2::Stage': {
    shape: object({ ApiId: text, StageName: z.literal('$default'), AutoDeploy: z.literal(true) }),
    moot: ['AccessLogSettings', 'DefaultRouteSettings', 'Description', 'Tags'],
  },
  'AWS::ApiGatewayV2::Integration': {
    shape: object({
      ApiId: text,
      IntegrationType: z.literal('AWS_PROXY'),
      IntegrationUri: text,
      PayloadFormatVersion: z.literal('2.0'),
    }),
    moot: ['Description', 'TimeoutInMillis'],
  },
  'AWS::ApiGatewayV2::Route': {
    shape: object({
      ApiId: text,
      RouteKey: text,
      Target: text,
      AuthorizationType: option(z.enum(['NONE', 'CUSTOM'])),
      AuthorizerId: option(text),
    }),
    moot: ['OperationName'],
  },
  'AWS::ApiGatewayV2::Authorizer': {
    shape: object({
      ApiId: text,
      Name: text,
      AuthorizerType: z.literal('REQUEST'),
      AuthorizerUri: text,
      AuthorizerPayloadFormatVersion: z.literal('2.0'),
      AuthorizerResultTtlInSeconds: option(count),
      EnableSimpleResponses: z.literal(true),
      IdentitySource: option(texts),
    }),
    moot: [],
  },
  'AWS::CloudFront::Distribution': {
    shape: object({
      DistributionConfig: object({
        Origins: z.array(
          object({
            Id: text,
            DomainName: text,
            OriginCustomHeaders: option(z.array(object({ HeaderName: text, HeaderValue: text }))),
            OriginPath: option(text),
            CustomOriginConfig: option(z.unknown()),
            S3OriginConfig: option(z.unknown()),
            OriginAccessControlId: option(z.unknown()),
            ConnectionAttempts: option(count),
            ConnectionTimeout: option(count),
          }),
        ),
        DefaultCacheBehavior: Behavior,
        CacheBehaviors: option(z.array(Behavior)),
        DefaultRootObject: option(text),
        Aliases: option(texts),
        Comment: option(text),
        Enabled: flag,
        HttpVersion: option(text),
        IPV6Enabled: option(flag),
        PriceClass: option(text),
      }),
    }),
    moot: [
      'Tags',
      'DistributionConfig.ViewerCertificate',
      'DistributionConfig.WebACLId',
      'DistributionConfig.Logging',
      'DistributionConfig.Restrictions',
    ],
  },
  'AWS::CloudFront::Function': {
    shape: object({ Name: text, FunctionCode: text, AutoPublish: option(flag) }),
    moot: ['FunctionConfig', 'FunctionMetadata', 'Tags'],
  },
  'AWS::CloudFront::ResponseHeadersPolicy': {
    shape: object({
      ResponseHeadersPolicyConfig: object({
        Name: text,
        Comment: option(text),
        CustomHeadersConfig: option(
          object({ Items: z.array(object({ Header: text, Value: text, Override: flag })) }),
        ),
        RemoveHeadersConfig: option(object({ Items: z.array(object({ Header: text })) })),
        SecurityHeadersConfig: option(
          object({
            ContentSecurityPolicy: option(object({ ContentSecurityPolicy: text, Override: flag })),
            ContentTypeOptions: option(HeaderText),
            FrameOptions: option(object({ FrameOption: text, Override: flag })),
            ReferrerPolicy: option(object({ ReferrerPolicy: text, Override: flag })),
            StrictTransportSecurity: option(z.unknown()),
          }),
        ),
      }),
    }),
    moot: [],
  },
  'Custom::CDKBucketDeployment': {
    shape: object({
      Include: option(texts),
      Exclude: option(texts),
      SystemMetadata: option(z.record(text, text)),
    }),
    moot: [
      'ServiceToken',
      'SourceBucketNames',
      'SourceObjectKeys',
      'SourceMarkers',
      'DestinationBucketName',
      'DestinationBucketKeyPrefix',
      'DistributionId',
      'DistributionPaths',
      'WaitForDistributionInvalidation',
      'Prune',
      'RetainOnDelete',
      'OutputObjectKeys',
      'UserMetadata',
    ],
  },
} as const;
