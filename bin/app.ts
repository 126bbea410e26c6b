import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import { letterflow } from '../lib/letterflow.ts';
import { stageOf } from '../lib/stages.ts';

const PAGES = join(import.meta.dirname, '../dist/web');
// The local stack finds the code of a function by this metadata.
const METADATA = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

// The CDK CLI passes the context of cdk.json. It is read here for a run without the CLI.
const app = new App({ context: { ...cdkJson.context, ...METADATA } });
const isSet = (fact: string) => app.node.tryGetContext(fact) === 'true';
const found = { identityExists: isSet('identityExists'), isFirst: isSet('isFirst') };
const stage = stageOf(app.node.tryGetContext('stage') ?? 'dev', app.node.getContext('stages'), found);
letterflow(app, stage, PAGES);
if (stage.name !== 'local') Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
