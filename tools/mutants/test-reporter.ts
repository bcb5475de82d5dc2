/** What became of a trial. */
export interface TestReport {
  /** The name of its project. */
  project: string;
  /** The first test that failed. */
  failed?: string | undefined;
  /** How many tests ran. */
  ran: number;
  /** Why the file did not run to its end. */
  problem?: string | undefined;
}

interface Test {
  context: { config: { displayName: { name: string } } };
}

interface FileResult {
  failureMessage?: string | null;
  testExecError?: unknown;
  testResults: { title: string; status: string }[];
}

/** Jest's reporter: sends what became of each trial to the process that has started Jest. */
export default class TestReporter {
  onTestResult({ context }: Test, { testResults, testExecError, failureMessage }: FileResult): void {
    this.send(context, {
      failed: testResults.find(({ status }) => status === 'failed')?.title,
      ran: testResults.filter(({ status }) => status !== 'pending').length,
      ...(testExecError ? { problem: failureMessage || JSON.stringify(testExecError) } : {}),
    });
  }

  private send({ config }: Test['context'], result: Omit<TestReport, 'project'>): void {
    process.send!({ project: config.displayName.name, ...result } satisfies TestReport);
  }
}
