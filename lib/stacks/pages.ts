import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { copyPages } from '../constructs/page-files.ts';
import { HOME_REGION } from '../stages.ts';
import type { FrontStack } from './front.ts';

/** The files of the web app, copied when all that they call is deployed. `pages` is the directory of the built web app. */
export class PagesStack extends Stack {
  constructor(scope: Construct, id: string, { front, pages }: { front: FrontStack; pages: string }) {
    super(scope, id, { env: { region: HOME_REGION } });
    copyPages(this, pages, front.pages);
  }
}
