import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { type ApiStack, integrationOf } from './api.ts';

/** The URLs in mails. Not part of the contract: mail programs and people call them, not the web client. */
export const TRACKING_ROUTES = { 'GET /t/o/{token}': 'open' };

export class TrackingStack extends Stack {
  readonly functions: ServiceFunction[] = [];

  constructor(scope: Construct, id: string, { stage, api }: { stage: Stage; api: ApiStack }) {
    super(scope, id, { env: { region: HOME_REGION } });

    for (const [key, name] of Object.entries(TRACKING_ROUTES)) {
      const fn = new ServiceFunction(this, name, { stage, entry: `functions/tracking/${name}.ts` });
      this.functions.push(fn);
      api.addRoute(this, key, integrationOf(fn));
    }
  }
}
