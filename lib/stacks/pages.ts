import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { copyPages } from '../constructs/page-files.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { FrontStack } from './front.ts';

/** Copies the files of the web app after all that they call is deployed. `pages` is the directory of the built web app. */
export class PagesStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, front, pages }: { stage: Stage; front: FrontStack; pages: string },
  ) {
    super(scope, id, { env: { region: HOME_REGION } });
    copyPages(this, stage, pages, front.pages);
  }
}
