import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
} from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { PRODUCT } from '#shared/brand.ts';
import { tableAlarms } from '../alarms.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { FILES, INDEX } from '../constructs/service-function.ts';
import { HOME_REGION, type RestoredTable, type Stage } from '../stages.ts';

/** The resources that survive every deployment: the table, files, keys, and the event bus for changes of them. */
export class DataStack extends Stack {
  readonly table: ITable;
  readonly objects: Bucket;
  readonly sendingKeys: Key;
  readonly trackingKey: Secret;
  readonly events: EventBus;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    // Resources of a first deployment that fails are deleted. If they were kept, their names would be taken in each later
    // deployment.
    const removalPolicy = stage.guarded ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

    const table = new Table(this, 'Table', {
      // A fixed name lets commands find the table. It also prevents that CloudFormation replaces it.
      tableName: `letterflow-${stage.name}`,
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'ttl',
      deletionProtection: stage.guarded && !stage.isFirst,
      removalPolicy,
      ...(stage.warmThroughput && { warmThroughput: stage.warmThroughput }),
    });
    // A sparse index: members of a list and former ones, people of an organization, sends of a combination. See docs/table.md.
    table.addGlobalSecondaryIndex({
      indexName: INDEX,
      partitionKey: { name: 'GSI1PK', type: AttributeType.STRING },
      sortKey: { name: 'GSI1SK', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['email', 'status', 'created_at', 'updated_at'],
      // A slower index would slow down the writes of the table.
      ...(stage.warmThroughput && { warmThroughput: stage.warmThroughput }),
    });
    this.table = stage.restored ? this.restoredTable(stage.restored) : table;
    alarmed(this, stage, tableAlarms(this.table));

    this.objects = new Bucket(this, 'Objects', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(30),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy,
      autoDeleteObjects: !stage.guarded,
    });
    this.objects.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        resources: [this.objects.arnForObjects(FILES)],
        // This stack does not know the distribution, so any distribution of this account may read.
        conditions: {
          StringEquals: { 'aws:SourceAccount': this.account },
          ArnLike: { 'aws:SourceArn': `arn:aws:cloudfront::${this.account}:distribution/*` },
        },
      }),
    );
    const { logicalId } = this.objects.node.defaultChild as CfnBucket;
    acknowledge(this.objects, {
      [`AwsSolutions-IAM5[Resource::<${this.resolve(logicalId)}.Arn>/${FILES}]`]:
        'CloudFront serves any of these files.',
      'AwsSolutions-S1':
        'Holds pictures that only our functions write and read, and every call of theirs is logged.',
    });

    this.sendingKeys = new Key(this, 'SendingKeys', {
      description: `Encrypts the sending keys that organizations entrust to ${PRODUCT}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    acknowledge(this.sendingKeys, {
      'AwsSolutions-IAM5[Action::kms:*]': 'The default of AWS: the account itself keeps the key manageable.',
      'AwsSolutions-IAM5[Resource::*]': 'In the policy of a key, the star is that key.',
    });

    this.trackingKey = new Secret(this, 'TrackingKey', {
      description: 'Signs the links of emails, for as long as somebody may click them',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
    acknowledge(this.trackingKey, {
      'AwsSolutions-SMG4': 'With another key, the links of all emails that were sent would be forged ones.',
    });

    // The bus is here and not with its publishers, as other stacks subscribe to it.
    this.events = new EventBus(this, 'Events', {
      eventBusName: `letterflow-${stage.name}`,
      description: 'What happened to the members of lists',
    });

    exportAlways(this, [
      // The stack's own table is exported even if a restored one is used: other stacks import it until their next deployment.
      table.tableName,
      table.tableArn,
      table.tableStreamArn,
      this.objects.bucketName,
      this.objects.bucketArn,
      this.sendingKeys.keyArn,
      this.trackingKey.secretArn,
      this.events.eventBusName,
      this.events.eventBusArn,
    ]);
  }

  /** The table that a command has restored. The stack keeps its own table, with its last state. */
  private restoredTable({ table: tableName, stream: tableStreamArn }: RestoredTable): ITable {
    const tableArn = this.formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableName });
    return Table.fromTableAttributes(this, 'RestoredTable', {
      tableArn,
      tableStreamArn,
      globalIndexes: [INDEX],
    });
  }
}
