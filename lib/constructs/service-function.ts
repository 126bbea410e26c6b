import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { EmailIdentity } from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { PRODUCT } from '../../shared/brand.ts';
import type { Stage } from '../stages.ts';
import { acknowledge } from './acknowledge.ts';
import { codeOf, ROOT } from './bundle.ts';

/** What is served as it is lies below this path, in the bucket and on the product's domain. */
export const FILES = 'files/*';

const MOST_RETRIES = 10;
const READING = ['GetItem', 'BatchGetItem', 'Query'];
const WRITING = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'ConditionCheckItem'];

export type ServiceFunctionProps = lambda.FunctionOptions & {
  stage: Stage;
  /** The file whose `handler` it runs, from the root of the repository. */
  entry: string;
};

/** A function of ours. What it may touch is said by its verbs, which also tell it the name of the thing. */
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
      ...props,
      environment: {
        POWERTOOLS_SERVICE_NAME: 'letterflow',
        NODE_OPTIONS: '--enable-source-maps',
        ...environment,
      },
    });
    this.entry = entry;
    this.logGroup.grantWrite(this);
    const resource = this.node.defaultChild as CfnResource;
    resource.addMetadata('letterflow:entry', entry);
  }

  reads(table: ITable): this {
    return this.touches(table, READING);
  }

  writes(table: ITable): this {
    return this.touches(table, [...READING, ...WRITING]);
  }

  private touches(table: ITable, verbs: string[]): this {
    this.addToRolePolicy(
      new PolicyStatement({
        actions: verbs.map(verb => `dynamodb:${verb}`),
        resources: [table.tableArn],
      }),
    );
    return this.addEnvironment('TABLE_NAME', table.tableName);
  }

  sendsMailAs(identity: EmailIdentity, address: string): this {
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [identity.emailIdentityArn],
        conditions: { StringEquals: { 'ses:FromAddress': address } },
      }),
    );
    return this.addEnvironment('MAIL_FROM', `${PRODUCT} <${address}>`);
  }

  /** Puts files into a bucket, and takes single ones out of it. */
  keepsFiles(bucket: IBucket): this {
    return this.onFiles(bucket, ['s3:PutObject', 's3:DeleteObject']);
  }

  /** Finds files and takes them out. */
  erasesFiles(bucket: IBucket): this {
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [bucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': FILES } },
      }),
    );
    return this.onFiles(bucket, ['s3:DeleteObject']);
  }

  private onFiles(bucket: IBucket, actions: string[]): this {
    // Exported by hand, so that the name of the export, which the reason must give, is known already.
    const arn = bucket.stack.exportValue(bucket.bucketArn);
    const exported = this.stack.resolve(arn)['Fn::ImportValue'];
    this.addToRolePolicy(new PolicyStatement({ actions, resources: [`${arn}/${FILES}`] }));
    acknowledge(this.grantPrincipal as Role, {
      [`AwsSolutions-IAM5[Resource::${exported}/${FILES}]`]: 'A file is named when it is written.',
    });
    return this.addEnvironment('OBJECTS_BUCKET', bucket.bucketName);
  }

  /** Is called with what is written to the table, as far as it passes the filter; what it gives up on is kept. */
  followsTable(table: ITable, filter: Record<string, unknown>, dead: IQueue): this {
    this.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: lambda.StartingPosition.TRIM_HORIZON,
        batchSize: 1,
        retryAttempts: MOST_RETRIES,
        onFailure: new SqsDlq(dead),
        filters: [lambda.FilterCriteria.filter(filter)],
      }),
    );
    acknowledge(this.grantPrincipal as Role, {
      'AwsSolutions-IAM5[Resource::*]':
        'Streams are listed before one is chosen; reading is granted for the one.',
    });
    return this;
  }

  readsSecret(secret: ISecret, variable: string): this {
    this.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    );
    return this.addEnvironment(variable, secret.secretArn);
  }
}
