import { en } from 'zod/locales';
import * as z from 'zod/mini';

z.config(en());

const text = z.string();
const count = z.coerce.number<number | string>();
const option = z.optional;
const object = z.strictObject;
const texts = z.array(text);
/** A property that makes no difference on one machine. */
const ignored = option(z.unknown());

const KeySchema = z.array(object({ AttributeName: text, KeyType: text }));
const yes = z.literal(true);

const Behavior = object({
  PathPattern: option(text),
  TargetOriginId: text,
  AllowedMethods: option(texts),
  Compress: option(z.boolean()),
  ViewerProtocolPolicy: ignored,
  CachePolicyId: ignored,
  OriginRequestPolicyId: ignored,
  ResponseHeadersPolicyId: text,
  FunctionAssociations: option(
    z.array(object({ EventType: z.literal('viewer-request'), FunctionARN: text })).check(z.length(1)),
  ),
});

/**
 * The kinds of resources that run here, with the properties that are read. Other properties are ignored. But for a kind with
 * strict properties, where that could mislead, each ignored one is named, and any other is an error.
 */
export const KINDS = {
  'AWS::DynamoDB::Table': {
    shape: object({
      TableName: option(text),
      AttributeDefinitions: z.array(object({ AttributeName: text, AttributeType: text })),
      KeySchema,
      GlobalSecondaryIndexes: z.array(
        object({
          IndexName: text,
          KeySchema,
          Projection: object({ ProjectionType: text, NonKeyAttributes: option(texts) }),
        }),
      ),
      StreamSpecification: object({ StreamViewType: text }),
      TimeToLiveSpecification: option(object({ AttributeName: text, Enabled: yes })),
    }),
    ignored: 'others',
  },
  'AWS::SQS::Queue': {
    shape: object({
      VisibilityTimeout: option(count),
      MessageRetentionPeriod: option(count),
      RedrivePolicy: option(object({ deadLetterTargetArn: text, maxReceiveCount: count })),
    }),
    ignored: ['SqsManagedSseEnabled'],
  },
  'AWS::S3::Bucket': { shape: object({}), ignored: 'others' },
  'AWS::SecretsManager::Secret': {
    shape: object({ GenerateSecretString: object({ PasswordLength: count, ExcludePunctuation: yes }) }),
    ignored: 'others',
  },
  'AWS::KMS::Key': {
    shape: object({
      KeySpec: option(z.literal('SYMMETRIC_DEFAULT')),
      KeyUsage: option(z.literal('ENCRYPT_DECRYPT')),
    }),
    ignored: 'others',
  },
  'AWS::Lambda::Function': {
    shape: object({
      Handler: text,
      Runtime: z.literal('nodejs24.x'),
      Timeout: option(count),
      MemorySize: option(count),
      ReservedConcurrentExecutions: option(count),
      Environment: object({ Variables: z.record(text, text) }),
      LoggingConfig: object({
        LogFormat: z.literal('JSON'),
        ApplicationLogLevel: text,
        // The local runtime writes none of Lambda's own lines.
        SystemLogLevel: ignored,
        LogGroup: ignored,
      }),
    }),
    ignored: 'others',
  },
  'AWS::Lambda::EventSourceMapping': {
    shape: object({
      FunctionName: text,
      EventSourceArn: text,
      BatchSize: count,
      BisectBatchOnFunctionError: option(z.boolean()),
      FunctionResponseTypes: option(z.array(z.literal('ReportBatchItemFailures'))),
      StartingPosition: option(text),
      MaximumRetryAttempts: option(count),
      ParallelizationFactor: option(z.literal(1)),
      TumblingWindowInSeconds: option(count),
      ScalingConfig: option(object({ MaximumConcurrency: count })),
      FilterCriteria: option(object({ Filters: z.array(object({ Pattern: text })) })),
      DestinationConfig: option(object({ OnFailure: object({ Destination: text }) })),
    }),
    // A window gathers messages, which changes no result.
    ignored: ['MaximumBatchingWindowInSeconds'],
  },
  'AWS::Lambda::EventInvokeConfig': {
    shape: object({
      FunctionName: text,
      MaximumRetryAttempts: option(count),
      DestinationConfig: option(object({ OnFailure: object({ Destination: text }) })),
    }),
    ignored: ['MaximumEventAgeInSeconds', 'Qualifier'],
  },
  'AWS::Events::Rule': {
    shape: object({
      ScheduleExpression: option(text),
      EventPattern: option(z.record(text, z.unknown())),
      EventBusName: option(text),
      State: z.literal('ENABLED'),
      // The RetryPolicy of a target is for events that do not reach the function.
      Targets: z.array(
        object({
          Arn: text,
          SqsParameters: option(object({ MessageGroupId: z.literal('$.detail.group') })),
          Id: ignored,
          RetryPolicy: ignored,
          DeadLetterConfig: ignored,
        }),
      ),
    }),
    ignored: ['Description'],
  },
  'AWS::Events::EventBus': { shape: object({ Name: text }), ignored: 'others' },
  'AWS::ApiGatewayV2::Api': { shape: object({ Name: text, ProtocolType: z.literal('HTTP') }), ignored: [] },
  'AWS::ApiGatewayV2::Stage': {
    shape: object({ ApiId: text, StageName: z.literal('$default'), AutoDeploy: yes }),
    ignored: 'others',
  },
  'AWS::ApiGatewayV2::Integration': {
    shape: object({
      ApiId: text,
      IntegrationType: z.literal('AWS_PROXY'),
      IntegrationUri: text,
      PayloadFormatVersion: z.literal('2.0'),
    }),
    ignored: [],
  },
  'AWS::ApiGatewayV2::Route': {
    shape: object({
      ApiId: text,
      RouteKey: text,
      Target: text,
      AuthorizationType: z.literal('CUSTOM'),
      AuthorizerId: text,
    }),
    ignored: [],
  },
  'AWS::ApiGatewayV2::Authorizer': {
    shape: object({
      ApiId: text,
      Name: text,
      AuthorizerType: z.literal('REQUEST'),
      AuthorizerUri: text,
      AuthorizerPayloadFormatVersion: z.literal('2.0'),
      AuthorizerResultTtlInSeconds: count,
      EnableSimpleResponses: yes,
      IdentitySource: z.array(text.check(z.startsWith('$request.header.'))),
    }),
    ignored: [],
  },
  'AWS::CloudFront::Distribution': {
    shape: object({
      DistributionConfig: object({
        ConnectionMode: option(z.literal('tenant-only')),
        Origins: z.array(
          object({
            Id: text,
            DomainName: text,
            OriginCustomHeaders: option(z.array(object({ HeaderName: text, HeaderValue: text }))),
            CustomOriginConfig: ignored,
            S3OriginConfig: ignored,
            OriginAccessControlId: ignored,
          }),
        ),
        DefaultCacheBehavior: Behavior,
        CacheBehaviors: z._default(z.array(Behavior), []),
      }),
    }),
    ignored: [
      'DistributionConfig.Aliases',
      'DistributionConfig.Enabled',
      'DistributionConfig.HttpVersion',
      'DistributionConfig.IPV6Enabled',
      'DistributionConfig.PriceClass',
      'DistributionConfig.ViewerCertificate',
      'DistributionConfig.WebACLId',
    ],
  },
  'AWS::CloudFront::Function': { shape: object({ Name: text, FunctionCode: text }), ignored: 'others' },
  'AWS::CloudFront::ResponseHeadersPolicy': {
    shape: object({
      ResponseHeadersPolicyConfig: object({
        Name: text,
        CustomHeadersConfig: object({ Items: z.array(object({ Header: text, Value: text, Override: yes })) }),
        SecurityHeadersConfig: object({
          ContentSecurityPolicy: object({ ContentSecurityPolicy: text, Override: z.boolean() }),
          ContentTypeOptions: object({ Override: yes }),
          FrameOptions: object({ FrameOption: text, Override: yes }),
          ReferrerPolicy: object({ ReferrerPolicy: text, Override: yes }),
          // It has no effect over plain HTTP.
          StrictTransportSecurity: ignored,
        }),
      }),
    }),
    ignored: [],
  },
} as const;

export type Kind = keyof typeof KINDS;
export type Properties<K extends Kind> = z.output<(typeof KINDS)[K]['shape']>;

export const isKind = (type: string): type is Kind => Object.hasOwn(KINDS, type);

/**
 * Resources that make no difference on one machine: permissions, names, certificates, alarms, log groups, the copies of pages
 * (which are served from the build directory), and what empties a bucket before its deletion.
 */
export const IGNORED =
  /^(AWS::((IAM|Logs|CloudWatch|SNS|WAFv2|Route53|CertificateManager|SES)::.*|S3::BucketPolicy|SQS::QueuePolicy|Lambda::(Permission|LayerVersion|Version|Alias)|CodeDeploy::.*|CloudFront::(OriginAccessControl|ConnectionGroup))|Custom::(CDKBucketDeployment|S3AutoDeleteObjects))$/;
