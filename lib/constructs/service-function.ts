import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { EmailIdentity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { PRODUCT } from '../../shared/brand.ts';
import type { Stage } from '../stages.ts';
import { codeOf, ROOT } from './bundle.ts';

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

  readsSecret(secret: ISecret, variable: string): this {
    this.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    );
    return this.addEnvironment(variable, secret.secretArn);
  }
}
