import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ArnFormat, type CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { changesFor } from '#core/storage/items/items.ts';
import type { StreamReader } from '#core/storage/items/kind.ts';
import { PRODUCT } from '#shared/brand.ts';
import { STAGE_TAG, type Stage, sesNamesOf } from '../stages.ts';
import { rightsOf } from '../table-rights.ts';
import { acknowledge } from './acknowledge.ts';
import { codeOf, ROOT } from './bundle.ts';

/** The ids of the distribution of tracking domains and of their connection group, and its address. */
export type Tracking = { distribution: string; group: string; address: string };

/** The path of files that CloudFront serves unchanged, in the bucket and on the domain of the product. */
export const FILES = 'files/*';

/** The table's only index: see docs/table.md. */
export const INDEX = 'GSI1';

// https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth: a domain lives in one of two regions.
const MAILGUN = { MAILGUN_US_URL: 'https://api.mailgun.net', MAILGUN_EU_URL: 'https://api.eu.mailgun.net' };

const READING = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'];
const WRITING = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

type ServiceFunctionProps = lambda.FunctionOptions & {
  stage: Stage;
  /** The file whose `handler` it runs, from the root of the repository. */
  entry: string;
};

type StreamReading = Omit<DynamoEventSourceProps, 'startingPosition' | 'filters' | 'onFailure'> & {
  /**
   * The function is invoked only for the changes that the table of items declares for this reader. Other changes cost nothing.
   */
  as: StreamReader;
  /** The queue that gets the position of records that failed in every attempt. */
  deadLetters: IQueue;
};

/** A function of the product. Its methods grant a right, and set the environment variable that names the resource. */
export class ServiceFunction extends lambda.Function {
  readonly entry: string;

  constructor(scope: Construct, id: string, { stage, entry, environment, ...props }: ServiceFunctionProps) {
    if (!existsSync(join(ROOT, entry))) throw new Error(`${entry} is missing: the function ${id} runs it`);
    super(scope, id, {
      code: codeOf(entry),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(10),
      role: new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
      logGroup: new LogGroup(scope, `${id}Log`, {
        retention: stage.logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      // Metric filters read fields of JSON lines. Lambda leaves the lines of the logger unchanged, and adds its own as JSON.
      loggingFormat: lambda.LoggingFormat.JSON,
      applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
      // Leaves out Lambda's lines about each start and end, which would be most of the log.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      ...props,
      environment: { POWERTOOLS_SERVICE_NAME: 'letterflow', ...environment },
    });
    this.entry = entry;
    this.logGroup.grantWrite(this);
    const resource = this.node.defaultChild as CfnResource;
    resource.addMetadata('letterflow:entry', entry);
  }

  /** Allows this function to read and write the partitions that its code reads and writes, and to query those of the index. */
  accesses(table: ITable): this {
    const { read, write, insert, index } = rightsOf(this.entry);
    this.allowPartitions(READING, table.tableArn, read);
    this.allowPartitions(WRITING, table.tableArn, write);
    this.allowPartitions(['PartiQLInsert'], table.tableArn, insert);
    this.allowPartitions(['Query'], `${table.tableArn}/index/${INDEX}`, index);
    return this.addEnvironment('TABLE_NAME', table.tableName);
  }

  private allowPartitions(verbs: string[], resource: string, partitions: string[]): void {
    if (partitions.length === 0) return;
    this.addToRolePolicy(
      new PolicyStatement({
        actions: verbs.map(verb => `dynamodb:${verb}`),
        resources: [resource],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
          // The condition above also holds if a request has no keys, such as a scan.
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /** Allows this function to send from the stage's address, if it has one. */
  sendsMailOf({ mail }: Stage): this {
    if (!mail) return this;
    // In the sandbox, SES also requires the right to the identity of the recipient. So the condition on the sender is the
    // limit.
    const identities = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'identity',
      resourceName: '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [identities],
        conditions: { StringEquals: { 'ses:FromAddress': mail.from } },
      }),
    );
    acknowledge(this.grantPrincipal as Role, {
      [`AwsSolutions-IAM5[Resource::arn:aws:ses:${this.stack.region}:<AWS::AccountId>:identity/*]`]:
        'The identity of the recipient counts too, while SES is in its sandbox; the sender is fixed.',
    });
    return this.addEnvironment('MAIL_FROM', `${PRODUCT} <${mail.from}>`);
  }

  addsFiles(bucket: IBucket): this {
    return this.accessesFiles(bucket, ['s3:PutObject']);
  }

  putsFiles(bucket: IBucket): this {
    return this.accessesFiles(bucket, ['s3:PutObject', 's3:DeleteObject']);
  }

  deletesFiles(bucket: IBucket): this {
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [bucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': FILES } },
      }),
    );
    return this.accessesFiles(bucket, ['s3:DeleteObject']);
  }

  private accessesFiles(bucket: IBucket, actions: string[]): this {
    // Exported explicitly, as the acknowledgement below needs the name of the export.
    const arn = bucket.stack.exportValue(bucket.bucketArn);
    const exported = this.stack.resolve(arn)['Fn::ImportValue'];
    this.addToRolePolicy(new PolicyStatement({ actions, resources: [`${arn}/${FILES}`] }));
    acknowledge(this.grantPrincipal as Role, {
      [`AwsSolutions-IAM5[Resource::${exported}/${FILES}]`]: 'A file is named when it is written.',
    });
    return this.addEnvironment('OBJECTS_BUCKET', bucket.bucketName);
  }

  /** Invokes this function with the changes that the table of items declares for it. */
  readsStream(table: ITable, { as, deadLetters, ...reading }: StreamReading): this {
    this.addEventSource(
      new DynamoEventSource(table, {
        ...reading,
        startingPosition: lambda.StartingPosition.TRIM_HORIZON,
        onFailure: new SqsDlq(deadLetters),
        filters: changesFor(as).map(filterOf),
      }),
    );
    acknowledge(this.grantPrincipal as Role, {
      'AwsSolutions-IAM5[Resource::*]':
        'Streams are listed before one is chosen; reading is granted for the one.',
    });
    return this;
  }

  sendsTo(queue: IQueue, variable: string): this {
    return this.allow(['sqs:SendMessage'], queue.queueArn).addEnvironment(variable, queue.queueUrl);
  }

  putsEvents(bus: IEventBus): this {
    return this.allow(['events:PutEvents'], bus.eventBusArn).addEnvironment('EVENT_BUS', bus.eventBusName);
  }

  readsSecret(secret: ISecret, variable: string): this {
    return this.allow(['secretsmanager:GetSecretValue'], secret.secretArn).addEnvironment(
      variable,
      secret.secretArn,
    );
  }

  encryptsWith(key: IKey): this {
    return this.allow(['kms:Encrypt', 'kms:Decrypt'], key.keyArn).addEnvironment('SENDING_KEYS', key.keyArn);
  }

  decryptsWith(key: IKey): this {
    return this.allow(['kms:Decrypt'], key.keyArn).addEnvironment('SENDING_KEYS', key.keyArn);
  }

  /** Allows this function to keep the domains of organizations and their tenants in the account of SES. */
  managesDomains(stage: Stage): this {
    const tagged = { StringEquals: { [`aws:RequestTag/${STAGE_TAG}`]: stage.name } };
    const { identities, tenants, configurationSet } = this.sesOf(stage);
    this.allowSes(['CreateEmailIdentity', 'TagResource'], [identities], tagged);
    // Before a tenant is there, a right cannot name it.
    this.allowSes(['CreateTenant'], ['*'], tagged);
    this.allowSes(['TagResource'], [tenants], tagged);
    this.allowSes(['CreateTenantResourceAssociation'], [configurationSet]);
    this.allowSes(['CreateTenantResourceAssociation'], [identities, tenants], ofStage(stage));
    acknowledge(this.grantPrincipal as Role, {
      'AwsSolutions-IAM5[Resource::*]': 'A tenant is created with the tag of the stage alone.',
    });
    return this.removesDomains(stage).addEnvironment('DNS_SERVERS', '');
  }

  removesDomains(stage: Stage): this {
    const { arn, identities, tenants, names } = this.sesOf(stage);
    this.allowSes(['GetEmailIdentity', 'DeleteEmailIdentity'], [identities], ofStage(stage));
    this.allowSes(['DeleteTenantResourceAssociation'], [identities, tenants], ofStage(stage));
    this.allowSes(['DeleteTenant'], [tenants], ofStage(stage));
    const account = `arn:aws:ses:${this.stack.region}:<AWS::AccountId>`;
    acknowledge(this.grantPrincipal as Role, {
      [`AwsSolutions-IAM5[Resource::${account}:identity/*]`]:
        'Identities are named by the domains of lists; the tag of the stage limits which.',
      [`AwsSolutions-IAM5[Resource::${account}:tenant/${names.tenants}-*]`]:
        'Tenants are named by organizations, and their ARN ends in an id.',
    });
    return this.addEnvironment('SES_ARN', arn)
      .addEnvironment('SES_STAGE', stage.name)
      .addEnvironment('SES_TENANTS', names.tenants)
      .addEnvironment('SES_CONFIGURATION_SET', names.configurationSet);
  }

  private sesOf(stage: Stage) {
    const names = sesNamesOf(stage);
    const arn = `arn:aws:ses:${this.stack.region}:${this.stack.account}`;
    return {
      names,
      arn,
      identities: `${arn}:identity/*`,
      tenants: `${arn}:tenant/${names.tenants}-*`,
      configurationSet: `${arn}:configuration-set/${names.configurationSet}`,
    };
  }

  private allowSes(verbs: string[], resources: string[], conditions?: Conditions): void {
    this.allowIf(
      verbs.map(verb => `ses:${verb}`),
      resources,
      conditions,
    );
  }

  private allowIf(actions: string[], resources: string[], conditions?: Conditions): void {
    this.addToRolePolicy(new PolicyStatement({ actions, resources, ...(conditions && { conditions }) }));
  }

  /** Allows this function to have the tracking domains of lists served, as tenants of one distribution. */
  servesTracking(stage: Stage, tracking: Tracking | undefined): this {
    this.addEnvironment('TRACKING_TARGET', stage.trackingTarget ?? '');
    if (!tracking) return this;
    const { distribution, group } = tracking;
    const cloudFront = `arn:aws:cloudfront::${this.stack.account}`;
    const tenants = `${cloudFront}:distribution-tenant/*`;
    const tagged = { StringEquals: { [`aws:RequestTag/${STAGE_TAG}`]: stage.name } };
    const owners = [`${cloudFront}:distribution/${distribution}`, `${cloudFront}:connection-group/${group}`];
    this.allowIf(['cloudfront:CreateDistributionTenant'], [...owners, tenants], tagged);
    this.allowIf(['cloudfront:TagResource'], [tenants], tagged);
    this.allowIf(['cloudfront:GetManagedCertificateDetails'], [tenants], ofStage(stage));
    // CloudFront asks for the certificate of a tenant in the name of who creates it.
    this.allowIf(['acm:RequestCertificate', 'acm:DescribeCertificate'], ['*']);
    acknowledge(this.grantPrincipal as Role, {
      'AwsSolutions-IAM5[Resource::*]':
        'A tenant is created with the tag of the stage alone; a certificate has no name before it is requested.',
    });
    this.addEnvironment('TRACKING_DISTRIBUTION', distribution).addEnvironment('TRACKING_GROUP', group);
    return this.removesTracking(stage, tracking);
  }

  removesTracking(stage: Stage, tracking: Tracking | undefined): this {
    this.addEnvironment('STAGE_NAME', stage.name);
    if (!tracking) return this;
    const tenants = `arn:aws:cloudfront::${this.stack.account}:distribution-tenant/*`;
    const verbs = ['Get', 'Update', 'Delete'].map(verb => `cloudfront:${verb}DistributionTenant`);
    this.allowIf(verbs, [tenants], ofStage(stage));
    acknowledge(this.grantPrincipal as Role, {
      'AwsSolutions-IAM5[Resource::arn:aws:cloudfront::<AWS::AccountId>:distribution-tenant/*]':
        'CloudFront gives tenants their ids; the tag of the stage limits which.',
    });
    return this;
  }

  callsMailgun(): this {
    for (const [name, url] of Object.entries(MAILGUN)) this.addEnvironment(name, url);
    return this;
  }

  /**
   * Allows this function to send emails of lists through SES, from identities of the stage alone; and, for the sender, to ask how
   * much the account may send.
   */
  callsSes(stage: Stage, { asksPace = false } = {}): this {
    const { identities, configurationSet, names } = this.sesOf(stage);
    this.allowSes(['SendBulkEmail'], [identities], ofStage(stage));
    this.allowSes(['SendBulkEmail'], [configurationSet]);
    if (asksPace) this.allowSes(['GetAccount'], ['*']);
    acknowledge(this.grantPrincipal as Role, {
      [`AwsSolutions-IAM5[Resource::arn:aws:ses:${this.stack.region}:<AWS::AccountId>:identity/*]`]:
        'Identities are named by the domains of lists; the tag of the stage limits which.',
      ...(asksPace && {
        'AwsSolutions-IAM5[Resource::*]': 'An account is no resource; what it may send is all that is read.',
      }),
    });
    return this.addEnvironment('SES_CONFIGURATION_SET', names.configurationSet).addEnvironment(
      'SES_TENANTS',
      names.tenants,
    );
  }

  /** Allows calls that users cause to public addresses only. The local stack alone allows those of this machine. */
  callsOutside(): this {
    return this.addEnvironment('WEBHOOK_LOOPBACK', '0');
  }

  private allow(actions: string[], resource: string): this {
    this.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }));
    return this;
  }
}

/** Whatever has the tag of the stage. */
const ofStage = ({ name }: Stage): Conditions => ({
  StringEquals: { [`aws:ResourceTag/${STAGE_TAG}`]: name },
});

/** The filter for changes of items whose keys have this prefix, and whose new image has one of these values. */
function filterOf({ events, PK, SK, image = {} }: ReturnType<typeof changesFor>[number]) {
  const { FilterCriteria, FilterRule } = lambda;
  const key = {
    ...(PK && { PK: { S: FilterRule.isEqual(PK) } }),
    ...(SK.length > 0 && { SK: { S: SK.flatMap(one => FilterRule.beginsWith(one)) } }),
  };
  const values = Object.entries(image).map(([field, some]) => [
    field,
    typeof some[0] === 'boolean' ? { BOOL: [...some] } : { S: FilterRule.or(...(some as string[])) },
  ]);
  return FilterCriteria.filter({
    ...(events && { eventName: FilterRule.or(...events) }),
    dynamodb: {
      ...(Object.keys(key).length > 0 && { Keys: key }),
      ...(values.length > 0 && { NewImage: Object.fromEntries(values) }),
    },
  });
}
