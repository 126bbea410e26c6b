import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { WEB_KINDS } from './web-kinds.ts';

z.config(en());

const text = z.string();
const flag = z.boolean();
const count = z.coerce.number<number | string>();
const option = z.optional;
const object = z.strictObject;
const texts = z.array(text);

const Attribute = object({ AttributeName: text, AttributeType: text });
const KeySchema = z.array(object({ AttributeName: text, KeyType: text }));
const Projection = object({ ProjectionType: text, NonKeyAttributes: option(texts) });
const Index = object({ IndexName: text, KeySchema, Projection });

const Target = object({
  Arn: text,
  Id: option(text),
  Input: option(text),
  RoleArn: option(text),
  RetryPolicy: option(
    object({ MaximumRetryAttempts: option(count), MaximumEventAgeInSeconds: option(count) }),
  ),
  DeadLetterConfig: option(z.unknown()),
});

/** Of each resource that runs here: the properties that matter, and those that make no difference on one machine. */
export const KINDS = {
  'AWS::DynamoDB::Table': {
    shape: object({
      TableName: option(text),
      AttributeDefinitions: z.array(Attribute),
      KeySchema,
      GlobalSecondaryIndexes: option(z.array(Index)),
      StreamSpecification: option(object({ StreamViewType: text, StreamEnabled: option(flag) })),
      TimeToLiveSpecification: option(object({ AttributeName: text, Enabled: flag })),
    }),
    moot: [
      'BillingMode',
      'DeletionProtectionEnabled',
      'PointInTimeRecoverySpecification',
      'SSESpecification',
      'Tags',
    ],
  },
  'AWS::SQS::Queue': {
    shape: object({
      QueueName: option(text),
      VisibilityTimeout: option(count),
      MessageRetentionPeriod: option(count),
      DelaySeconds: option(count),
      FifoQueue: option(flag),
      ContentBasedDeduplication: option(flag),
      ReceiveMessageWaitTimeSeconds: option(count),
      RedrivePolicy: option(object({ deadLetterTargetArn: text, maxReceiveCount: count })),
    }),
    moot: [
      'SqsManagedSseEnabled',
      'KmsMasterKeyId',
      'KmsDataKeyReusePeriodSeconds',
      'RedriveAllowPolicy',
      'Tags',
    ],
  },
  'AWS::S3::Bucket': {
    shape: object({ BucketName: option(text) }),
    moot: [
      'BucketEncryption',
      'LifecycleConfiguration',
      'LoggingConfiguration',
      'OwnershipControls',
      'PublicAccessBlockConfiguration',
      'Tags',
      'VersioningConfiguration',
    ],
  },
  'AWS::SecretsManager::Secret': {
    shape: object({
      Name: option(text),
      GenerateSecretString: object({
        PasswordLength: option(count),
        ExcludePunctuation: option(flag),
        IncludeSpace: option(flag),
        SecretStringTemplate: option(text),
        GenerateStringKey: option(text),
      }),
    }),
    moot: ['Description', 'KmsKeyId', 'Tags'],
  },
  'AWS::KMS::Key': {
    shape: object({
      KeySpec: option(z.literal('SYMMETRIC_DEFAULT')),
      KeyUsage: option(z.literal('ENCRYPT_DECRYPT')),
      Enabled: option(z.literal(true)),
    }),
    moot: [
      'Description',
      'EnableKeyRotation',
      'KeyPolicy',
      'PendingWindowInDays',
      'RotationPeriodInDays',
      'Tags',
    ],
  },
  'AWS::Lambda::Function': {
    shape: object({
      FunctionName: option(text),
      Handler: text,
      Runtime: text,
      Timeout: option(count),
      MemorySize: option(count),
      ReservedConcurrentExecutions: option(count),
      Environment: option(
        object({ Variables: z.record(text, z.coerce.string<string | number | boolean>()) }),
      ),
    }),
    moot: [
      'Architectures',
      'Code',
      'DeadLetterConfig',
      'Description',
      'LoggingConfig',
      'Role',
      'Tags',
      'TracingConfig',
    ],
  },
  'AWS::Lambda::EventSourceMapping': {
    shape: object({
      FunctionName: text,
      EventSourceArn: text,
      Enabled: option(flag),
      BatchSize: option(count),
      MaximumBatchingWindowInSeconds: option(count),
      FunctionResponseTypes: option(texts),
      ScalingConfig: option(object({ MaximumConcurrency: count })),
      StartingPosition: option(text),
      BisectBatchOnFunctionError: option(flag),
      MaximumRetryAttempts: option(count),
      MaximumRecordAgeInSeconds: option(count),
      ParallelizationFactor: option(count),
      TumblingWindowInSeconds: option(count),
      FilterCriteria: option(object({ Filters: z.array(object({ Pattern: text })) })),
      DestinationConfig: option(object({ OnFailure: object({ Destination: text }) })),
    }),
    moot: ['MetricsConfig', 'Tags'],
  },
  'AWS::Lambda::EventInvokeConfig': {
    shape: object({
      FunctionName: text,
      Qualifier: option(text),
      MaximumRetryAttempts: option(count),
      MaximumEventAgeInSeconds: option(count),
    }),
    moot: ['DestinationConfig'],
  },
  'AWS::Events::Rule': {
    shape: object({
      Name: option(text),
      ScheduleExpression: option(text),
      EventPattern: option(z.record(text, z.unknown())),
      EventBusName: option(text),
      State: option(text),
      Targets: z.array(Target),
    }),
    moot: ['Description', 'Tags'],
  },
  'AWS::Events::EventBus': {
    shape: object({ Name: text }),
    moot: ['Description', 'KmsKeyIdentifier', 'LogConfig', 'Policy', 'Tags'],
  },
  'AWS::Scheduler::Schedule': {
    shape: object({
      Name: option(text),
      ScheduleExpression: text,
      ScheduleExpressionTimezone: option(text),
      FlexibleTimeWindow: object({ Mode: z.literal('OFF') }),
      State: option(text),
      Target,
    }),
    moot: ['Description', 'GroupName', 'KmsKeyArn'],
  },
  ...WEB_KINDS,
} as const;

export type Kind = keyof typeof KINDS;
export type Properties<K extends Kind> = z.output<(typeof KINDS)[K]['shape']>;

export const isKind = (type: string): type is Kind => Object.hasOwn(KINDS, type);

/** What makes no difference on one machine: rights, names, certificates, alarms, and where logs are kept. */
export const MOOT =
  /^(AWS::(IAM|Logs|CloudWatch|SNS|WAFv2|Route53|CertificateManager|SES|SSM|Budgets)::|AWS::CDK::Metadata$|AWS::(S3::BucketPolicy|SQS::QueuePolicy|Lambda::(Permission|LayerVersion)|CloudFront::(OriginAccessControl|CachePolicy|OriginRequestPolicy)|Scheduler::ScheduleGroup|SecretsManager::ResourcePolicy|SNS::TopicPolicy)$|Custom::(S3AutoDeleteObjects|CrossRegionExport(Writer|Reader)|AWS$))/;
