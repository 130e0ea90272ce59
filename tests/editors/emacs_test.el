;;; emacs_test.el --- tenon.el in the real Emacs -*- lexical-binding: t; -*-

;; Company's list of candidates; company itself need not be there.
(defvar company-candidates nil)

(load (expand-file-name "emacs_case.el" (file-name-directory load-file-name)) nil t)

(ert-deftest accepted-text-replaces-its-range-and-the-cursor-stands-behind-it ()
  (case-with (list `((before . "foo(a") (answer . ,(case-item "abc, b)" 4 6)))) "foo(a|)\nrest\n"
    (tenon-complete)
    (should (equal (case-wait-ghost) "bc, b"))
    (case-keys "TAB")
    (should (equal (buffer-string) "foo(abc, b)\nrest\n"))
    (should (= (point) (1+ (length "foo(abc, b"))))
    (should-not (case-ghost))))

(ert-deftest the-sign-that-the-line-above-lacks-is-written-with-the-first-piece ()
  (let* ((at '((line . 1) (character . 1)))
         (item `((insertText . "cc = 3,")
                 (additionalTextEdits . [((range . ((start . ,at) (end . ,at))) (newText . ","))]))))
    (case-with (list `((before . "") (answer . ((items . [,item]))))) "[\n2\n|\n]\n"
      (tenon-complete)
      (case-wait-ghost "cc = 3,")
      (case-keys "M-<right>")
      (should (equal (buffer-string) "[\n2,\ncc\n]\n"))
      (case-keys "TAB")
      (should (equal (buffer-string) "[\n2,\ncc = 3,\n]\n")))))

;; The sign lies before the narrowing.
(ert-deftest the-sign-is-written-outside-of-a-narrowing-too ()
  (let* ((at '((line . 1) (character . 1)))
         (item `((insertText . "cc")
                 (additionalTextEdits . [((range . ((start . ,at) (end . ,at))) (newText . ","))]))))
    (case-with (list `((before . "") (answer . ((items . [,item]))))) "[\n2\n|\n]\n"
      (narrow-to-region (point) (point-max))
      (tenon-complete)
      (case-wait-ghost "cc")
      (case-keys "TAB")
      (widen)
      (should (equal (buffer-string) "[\n2,\ncc\n]\n")))))

(ert-deftest another-mode-takes-the-suggestion-away ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn")))) "ret|\n"
    (tenon-complete)
    (case-wait-ghost)
    (text-mode)
    (should (equal (case-screen) "ret\n"))))

(ert-deftest a-word-or-a-line-of-it-is-accepted-and-the-rest-stays ()
  (case-with (list `((before . "x = ") (answer . ,(case-item "f(a_1, b)\n  g()" 4 5)))) "x = |]  # end\n"
    (tenon-complete)
    (case-wait-ghost)
    (dolist (rest '("(a_1, b)\n  g()" "a_1, b)\n  g()" ", b)\n  g()"))
      (case-keys "M-<right>")
      (should (equal (case-ghost) rest)))
    (case-keys "C-M-<right>")
    (should (equal (buffer-string) "x = f(a_1, b)]  # end\n"))
    (case-keys "M-<right>")
    (should (equal (buffer-string) "x = f(a_1, b)\n  g]  # end\n"))
    (case-keys "TAB")
    (should (equal (buffer-string) "x = f(a_1, b)\n  g()  # end\n"))
    (undo)
    (should (equal (buffer-string) "x = f(a_1, b)\n  g]  # end\n"))))

(ert-deftest typing-along-keeps-the-suggestion-and-another-way-drops-it ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn value")))) "ret|\n"
    (tenon-complete)
    (case-wait-ghost)
    (case-keys "urn")
    (should (equal (case-ghost) " value"))
    (should (= 1 (length (case-received "textDocument/inlineCompletion"))))
    (case-keys "x")
    (should-not (case-ghost))
    (should (equal (buffer-string) "returnx\n"))))

(ert-deftest typing-asks-by-itself-and-what-it-overtakes-is-dropped ()
  (case-with (list `((before . "a") (answer . ,(case-item "late")) (delay_ms . 300))
                   `((before . "ab") (answer . ,(case-item "c"))))
      "|\n"
    (let ((tenon-automatic t))
      (case-keys "a")
      (case-wait "a question" (lambda () (case-received "textDocument/inlineCompletion")))
      (case-keys "b")
      (should (equal (case-wait-ghost) "c"))
      (sleep-for 0.4)
      (should (equal (case-ghost) "c")))))

(ert-deftest others-are-asked-for-when-the-user-goes-through-them ()
  (case-with (list `((before . "ret") (kind . 2) (answer . ,(case-item "urn 1")))
                   `((before . "ret") (kind . 1)
                     (answer . ((items . [((insertText . "urn 1")) ((insertText . "urn 2"))
                                          ((insertText . "urn 3"))])))))
      "re|\n"
    (let ((tenon-automatic t))
      (case-keys "t")
      (case-wait-ghost "urn 1")
      (case-keys "M-n")
      (case-wait-ghost "urn 2")
      (case-keys "M-n")
      (case-wait-ghost "urn 3")
      (case-keys "M-n M-p M-p")
      (case-wait-ghost "urn 2")
      (should (= 2 (length (case-received "textDocument/inlineCompletion")))))))

(ert-deftest dismissing-takes-it-away-and-leaves-the-text ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn")))) "ret|\n"
    (tenon-complete)
    (case-wait-ghost)
    (case-keys "C-g")
    (should-not (case-ghost))
    (should (equal (buffer-string) "ret\n"))))

(ert-deftest moving-away-takes-it-away ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn")))) "ret|\nx\n"
    (tenon-complete)
    (case-wait-ghost)
    (case-keys "C-b")
    (should-not (case-ghost))))

;; What users of other plugins complain about.

(ert-deftest complaint-tab-is-what-it-was-without-a-suggestion ()
  (case-with () "ab|\n"
    (local-set-key (kbd "TAB") (lambda () (interactive) (insert "theirs")))
    (case-keys "TAB")
    (should (equal (buffer-string) "abtheirs\n"))))

(ert-deftest complaint-ghost-text-leaves-the-rest-of-the-line-to-be-read ()
  (case-with (list `((before . "f(") (answer . ,(case-item "alpha,\n  beta")))) "f(|, omega)  # why\n"
    (tenon-complete)
    (case-wait-ghost)
    (should (equal (case-screen) "f(alpha,\n  beta, omega)  # why\n"))
    ;; A number: with t the terminal's cursor stands behind the ghost text.
    (should (equal 1 (get-text-property 0 'cursor (overlay-get tenon--overlay 'after-string))))))

(ert-deftest complaint-a-bracket-that-was-closed-ahead-is-not-doubled ()
  (dolist (answer (list (case-item "[1])" 2 4) (case-item "[1])" 2 3)))
    (case-with (list `((before . "f(") (answer . ,answer)))
        (if (equal answer (case-item "[1])" 2 4)) "f(|])\n" "f(|)\n")
      (tenon-complete)
      (case-wait-ghost)
      (should (equal (case-screen) "f([1])\n"))
      (case-keys "TAB")
      (should (equal (buffer-string) "f([1])\n")))))

(ert-deftest complaint-indentation-is-the-one-of-the-server ()
  (case-with (list `((before . "if x:") (answer . ,(case-item "\n        return {\n            1,\n        }\n    y"))))
      "def f(x):\n    if x:|\nend\n"
    (setq-local indent-tabs-mode t)
    (electric-indent-local-mode 1)
    (tenon-complete)
    (case-wait-ghost)
    (case-keys "TAB")
    (should (equal (buffer-string)
                   "def f(x):\n    if x:\n        return {\n            1,\n        }\n    y\nend\n"))))

(ert-deftest complaint-silence-has-a-reason ()
  (case-with (list '((notify . "tenon/didChangeStatus")
                     (params . ((state . "failed") (reason . "no model") (action . "fetch one")))))
      "x|\n"
    (case-wait "the state" (lambda () (equal (plist-get tenon--state :state) "failed")))
    (should (equal (tenon--reason) "failed (no model); fetch one"))
    (should (equal (substring-no-properties (tenon--lighter)) " tenon:failed")))
  (case-with () "x|\n"
    (let ((tenon-automatic t)) (case-keys "y"))
    (case-wait "the reason" (lambda () (equal tenon--last "nothing to offer here"))))
  (let ((tenon-program "/nowhere/tenon"))
    (with-temp-buffer
      (python-mode)
      (tenon-mode)
      (should (string-match-p "'/nowhere/tenon' is no program); set" (tenon--reason))))))

(ert-deftest state-says-how-much-of-the-model-is-loaded ()
  (case-with (list '((notify . "$/progress")
                     (params . ((token . "tenon/model")
                                (value . ((kind . "begin") (title . "loading") (percentage . 0))))))
                   '((notify . "$/progress")
                     (params . ((token . "tenon/model")
                                (value . ((kind . "report") (percentage . 41)))))))
      "x|\n"
    (case-wait "the percent"
      (lambda () (equal (substring-no-properties (tenon--lighter)) " tenon:41%")))))

(ert-deftest complaint-a-server-that-dies-is-missed ()
  (case-with () "x|\n"
    (delete-process (jsonrpc--process tenon--connection))
    (case-wait "the state" (lambda () (equal (plist-get tenon--state :state) "failed")))
    (should (string-match-p "M-x tenon-restart" (tenon--reason)))
    (should-not tenon--uri)
    (tenon-restart)
    (case-wait "another server" (lambda () tenon--uri))))

;; The text that the server has.

(defun server-text ()
  "The text that the server would have after the changes that it was told."
  (tenon--flush)
  (plist-get (jsonrpc-request tenon--connection :tenon/text
                              (list :textDocument (list :uri tenon--uri)))
             :text))

(ert-deftest each-change-is-told-to-the-server ()
  (case-with () "one\ntwo é \U0001F600 three\nfour\n"
    (dolist (change (list (lambda () (goto-char (point-max)) (insert "five\n\nsix"))
                          (lambda () (goto-char (point-min)) (kill-line 2))
                          (lambda () (upcase-region (point-min) (point-max)))
                          (lambda () (goto-char 3) (insert "\U0001F600ß") (delete-char 1))
                          (lambda () (transpose-lines 1))
                          (lambda () (replace-regexp-in-region-or-loop))
                          (lambda () (narrow-to-region 3 9) (insert "in\nside") (widen))
                          (lambda () (let ((inhibit-modification-hooks t)) (insert "unseen")))
                          (lambda () (insert "seen"))
                          (lambda () (undo))
                          (lambda () (insert-byte 200 2))
                          (lambda () (insert "a\ud83d\ude00z"))
                          (lambda () (comment-region (point-min) (point-max)))
                          (lambda () (erase-buffer))
                          (lambda () (insert "end"))))
      (funcall change)
      (undo-boundary)
      (should (equal (server-text) (tenon--whole-text))))))

(ert-deftest what-json-cannot-hold-is-told-as-one-character ()
  (with-temp-buffer
    (insert "é\U0001F600|\ud7ff\ue000\U0010ffff|\ud800\udfff|")
    (insert-byte 200 1)
    (should (equal (tenon--whole-text)
                   "é\U0001F600|\ud7ff\ue000\U0010ffff|\uFFFD\uFFFD|\uFFFD"))
    (narrow-to-region 1 2)
    (should (equal (tenon--text 3 11) "|\ud7ff\ue000\U0010ffff|\uFFFD\uFFFD|"))
    (should (equal (tenon--text 3 3) "")))
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert "a\351b")
    (should (equal (tenon--whole-text) "a\uFFFDb"))))

(defun replace-regexp-in-region-or-loop ()
  "Replace each o, as `replace-regexp' does."
  (goto-char (point-min))
  (while (re-search-forward "[oO]" nil t) (replace-match "00\n")))

(ert-deftest a-file-that-is-renamed-is-known-by-its-new-name ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn")))) "ret|\n"
    (set-visited-file-name (expand-file-name "renamed.py" (file-name-directory buffer-file-name)))
    (tenon-complete)
    (should (case-wait-ghost))
    (should (string-match-p "renamed.py" tenon--uri))))

;; Where the cursor rests.  In batch mode Emacs is never idle and has no focus.

(defconst reads-ahead '(experimental . ((tenon . ((cursor . t))))))

(defun rest-at (&optional position)
  "Let Emacs be idle with the cursor at POSITION, which a command has moved there."
  (when position
    (goto-char position)
    (run-hooks 'post-command-hook))
  (let ((timers (cl-remove-if-not (lambda (timer) (eq (timer--function timer) #'tenon--tell-rest))
                                  timer-idle-list)))
    (should (<= (length timers) 1))
    (dolist (timer timers)
      (should (timer--repeat-delay timer))
      (should (< 0.29 (float-time (timer--time timer)) 0.31))
      (cl-letf (((symbol-function 'frame-focus-state) (lambda (&rest _) 'unknown)))
        (timer-event-handler timer)))))

(defun told-places ()
  "Where the server was told that the cursor rests, as lists of line and character."
  ;; What was sent before has been received when this is answered.
  (when tenon--uri (server-text))
  (mapcar (lambda (message)
            (let ((position (plist-get (plist-get message :params) :position)))
              (list (plist-get position :line) (plist-get position :character))))
          (case-received "tenon/didMoveCursor")))

(ert-deftest the-place-where-the-cursor-rests-is-told-once ()
  (case-with (list (list reads-ahead)) "|one \U0001F600 é\ntwo\n"
    (rest-at 8)
    (rest-at)
    (should (equal (told-places) '((0 7))))
    (rest-at 10)
    (rest-at 8)
    (should (equal (told-places) '((0 7) (1 1) (0 7))))
    (should (equal tenon--uri (plist-get (plist-get (plist-get (car (case-received "tenon/didMoveCursor"))
                                                              :params)
                                                   :textDocument)
                                        :uri)))))

(ert-deftest where-the-user-types-nothing-is-told ()
  (case-with (list (list reads-ahead)) "|one\ntwo\n"
    (dolist (keys '("a" "b" "DEL" "RET" "C-k"))
      (case-keys keys)
      (rest-at))
    (should-not (told-places))
    (rest-at 1)
    (should (equal (told-places) '((0 0))))))

(ert-deftest the-text-is-told-before-the-place-in-it ()
  (case-with (list (list reads-ahead)) "|one\n"
    (case-keys "a RET b")
    (rest-at 3)
    (should (equal (told-places) '((1 0))))
    (should (equal (mapcar (lambda (message) (plist-get message :method))
                           (last (cl-remove "tenon/text" (case-received nil)
                                            :key (lambda (message) (plist-get message :method))
                                            :test #'equal)
                                 2))
                   '("textDocument/didChange" "tenon/didMoveCursor")))))

(ert-deftest a-place-that-is-selected-or-without-the-focus-is-not-told ()
  (case-with (list (list reads-ahead)) "|one two\n"
    (let ((transient-mark-mode t))
      (set-mark 5)
      (activate-mark)
      (rest-at 3)
      (should-not (told-places))
      (deactivate-mark))
    (cl-letf (((symbol-function 'frame-focus-state) #'ignore)) (tenon--tell-rest))
    (should-not (told-places))
    (rest-at)
    (should (equal (told-places) '((0 2))))))

(ert-deftest a-place-that-is-switched-off-is-not-told ()
  (case-with (list (list reads-ahead)) "|one two\n"
    (tenon-mode -1)
    (rest-at 2)
    (tenon-mode)
    (tenon-toggle-language)
    (rest-at 3)
    (tenon-toggle-language)
    (should-not (told-places))
    (rest-at 4)
    (should (equal (told-places) '((0 3))))))

(ert-deftest a-server-that-does-not-read-ahead-is-not-told ()
  (dolist (rules '(() (((experimental . ((tenon . ((cursor . :json-false))))))) (((experimental . t)))))
    (case-with rules "|one two\n"
      (rest-at 2)
      (should-not (told-places))
      (should-not tenon--rest-timer))))

(ert-deftest another-server-is-told-the-place-too-and-none-is-told-without-one ()
  (case-with (list (list reads-ahead)) "|one two\n"
    (rest-at 3)
    (tenon-restart)
    (rest-at)
    (case-wait "another server" (lambda () tenon--uri))
    (rest-at)
    (should (equal (told-places) '((0 2) (0 2))))
    (delete-process (jsonrpc--process tenon--connection))
    (case-wait "the end" (lambda () (not tenon--uri)))
    (rest-at 4)
    (should-not tenon--rest-timer)))

;; Switches, lists, others.

(ert-deftest what-is-off-is-not-even-sent ()
  (case-with () "x|\n"
    (tenon-mode -1)
    (case-wait "the end" (lambda () (case-received "textDocument/didClose")))
    (tenon-mode)
    (tenon-toggle-language)
    (case-wait "the end" (lambda () (cdr (case-received "textDocument/didClose"))))
    (should (equal (substring-no-properties (tenon--lighter)) " tenon:off"))
    (should (string-match-p "off for python" (tenon--reason)))
    (tenon-toggle-language)
    (case-wait "the text" (lambda () (= 3 (length (case-received "textDocument/didOpen")))))))

(ert-deftest ghost-text-waits-while-a-completion-menu-is-open ()
  (case-with (list `((before . "x") (answer . ,(case-item "yz")))) "|\n"
    (let ((tenon-automatic t) (company-candidates '("xylophone")))
      (case-keys "x")
      (sleep-for 0.1)
      (accept-process-output nil 0.2)
      (should-not (case-ghost)))))

(ert-deftest a-list-item-inserts-all-of-its-text ()
  (case-with (list '((before . "ba") (list . t) (answer . ((items . [((label . "bar(")
                       (textEdit . ((range . ((from . 0) (to . 3))) (newText . "bar(\n    1,\n)"))))])))))
      "ba|)\n"
    (setq-local completion-at-point-functions '(tenon-completion-at-point))
    (completion-at-point)
    (should (equal (buffer-string) "bar(\n    1,\n)\n"))))

(ert-deftest a-list-item-writes-the-sign-that-the-line-above-lacks ()
  (let* ((at '((line . 1) (character . 1)))
         (item `((label . "bar") (textEdit . ((range . ((from . 0) (to . 2))) (newText . "bar")))
                 (additionalTextEdits . [((range . ((start . ,at) (end . ,at))) (newText . ","))]))))
    (case-with (list `((before . "ba") (list . t) (answer . ((items . [,item])))))
        "[\n2\nba|\n]\n"
      (setq-local completion-at-point-functions '(tenon-completion-at-point))
      (completion-at-point)
      (should (equal (buffer-string) "[\n2,\nbar\n]\n"))
      (should (looking-back "bar" 1)))))

(ert-deftest other-functions-complete-where-there-is-no-item ()
  (case-with () "ba|\n"
    (setq-local completion-at-point-functions
                (list #'tenon-completion-at-point (lambda () (list 1 3 '("basin")))))
    (completion-at-point)
    (should (equal (buffer-string) "basin\n"))))

(ert-deftest a-mode-that-is-derived-is-served-and-another-is-not ()
  (with-temp-buffer
    (define-derived-mode my-python-mode python-mode "mine")
    (my-python-mode)
    (should (equal (tenon--language) "python"))
    (text-mode)
    (should-not (tenon--language))
    (should (string-match-p "not among" (tenon--reason)))))

(ert-deftest a-mode-of-another-language-is-not-served-as-its-parent ()
  (dolist (mode '(scss-mode less-css-mode))
    (with-temp-buffer
      (funcall mode)
      (should-not (tenon--language)))))

(ert-deftest budgets-of-the-user-are-not-overruled-in-either-form ()
  (dolist (case '((nil 30000 30000)
                  ((:completion\.automaticBudgetMs 9) nil 30000)
                  ((:completion (:automaticBudgetMs 9 :enabled t)) nil 30000)
                  ((:completion (:invokedBudgetMs 9)) 30000 nil)))
    (let* ((tenon-initialization-options (car case))
           (added (tenon--budgets)))
      (should (equal (list (plist-get added :completion\.automaticBudgetMs)
                           (plist-get added :completion\.invokedBudgetMs))
                     (cdr case))))))

(ert-deftest the-log-is-not-looked-for-in-the-current-folder ()
  (dolist (state '("" "state"))
    (let ((process-environment (cons (concat "XDG_STATE_HOME=" state) process-environment)) read)
      (cl-letf (((symbol-function 'file-readable-p) (lambda (file) (setq read file) nil)))
        (save-window-excursion (tenon-log)))
      (should (equal read (expand-file-name "~/.local/state/tenon/daemon.log"))))))

(ert-deftest json-is-json-in-the-mode-of-javascript-too ()
  (with-temp-buffer
    (js-mode)
    (should (equal (tenon--language) "javascript"))
    (dolist (case '(("/a/b.json" . "json") ("/a/b.js" . "javascript") ("/json" . "javascript")))
      (let ((buffer-file-name (car case)))
        (should (equal (tenon--language) (cdr case)))))))

(ert-deftest models-are-those-that-are-installed ()
  (let* ((program (make-temp-file "tenon-program" nil nil "#!/bin/sh
echo '{\"folder\":\"/\"}'; echo '{\"name\":\"small\",\"installed\":true}'; echo '{\"name\":\"far\",\"installed\":false}'\n"))
         (tenon-program program))
    (set-file-modes program #o700)
    (should (equal (tenon--models) '("small")))
    (delete-file program)))

(ert-deftest a-chosen-model-that-a-setting-overrules-is-said-to-be ()
  (dolist (options '(nil (:model "big")))
    (let ((tenon-initialization-options options) said)
      (cl-letf (((symbol-function 'tenon--run) (lambda (&rest _) "small runs from now on\n"))
                ((symbol-function 'tenon-restart) #'ignore)
                ((symbol-function 'message)
                 (lambda (&rest words) (setq said (apply #'format words)))))
        (tenon-model "small"))
      (should (string-prefix-p "small runs from now on" said))
      (should (equal (and options t) (and (string-match-p "names big, which counts" said) t))))))

(ert-deftest eglot-runs-tenon-where-the-user-wants-that ()
  (skip-unless (require 'eglot nil t))
  (let ((eglot-server-programs nil))
    (tenon-eglot-register)
    (tenon-eglot-register)
    (should (equal (cdr (assoc '(python-mode :language-id "python") eglot-server-programs
                               (lambda (modes mode) (member mode modes))))
                   (cons tenon-program tenon-arguments)))))

;; eglot calls the language after the mode, `sh', and before 1.10 had one language for all texts of a server.
(ert-deftest eglot-tells-each-text-its-own-language ()
  (skip-unless (require 'eglot nil t))
  (let ((eglot-server-programs nil))
    (tenon-eglot-register)
    (dolist (entry eglot-server-programs)
      (should (= 1 (length (delete-dups (mapcar (lambda (mode) (plist-get (cdr mode) :language-id))
                                                (car entry)))))))
    (when (fboundp 'eglot--lookup-mode)
      (let ((found (prin1-to-string (eglot--lookup-mode 'sh-mode))))
        (should (string-match-p "shellscript" found))
        (should-not (string-match-p "python" found))))))

(ert-deftest a-restart-takes-the-suggestion-away ()
  (case-with (list `((before . "ret") (answer . ,(case-item "urn")))) "ret|\n"
    (tenon-complete)
    (case-wait-ghost)
    (tenon-restart)
    (should-not (case-ghost))
    (case-wait "the server" (lambda () tenon--uri))))

;; With the program itself and the small model.

(ert-deftest the-real-server-completes-and-the-buffer-is-valid ()
  (skip-unless (getenv "TENON_PROGRAM"))
  (let* ((tenon-program (getenv "TENON_PROGRAM"))
         (tenon-arguments '("--stdio" "--no-daemon" "--model" "smollm2-135m-fim"))
         (tenon-initialization-options '(:experimental (:text t)))
         (file (make-temp-file "tenon-emacs-" nil ".py" "import sys\n\n\ndef main():\n    if len(sys\n    return 1\n")))
    (unwind-protect
        (progn
          (switch-to-buffer (find-file-noselect file))
          (tenon-mode)
          (case-wait "the model" (lambda () (equal (plist-get tenon--state :state) "ready")))
          (search-forward "len(sys")
          (case-keys ".")
          ;; On a busy machine the first answer may be empty; a person would ask again.
          (case-wait "a suggestion" (lambda ()
                                      (unless (or tenon--question tenon--shown) (tenon-complete))
                                      (case-ghost)))
          (case-keys "TAB")
          (should (equal (server-text) (buffer-string)))
          (save-buffer)
          (should (= 0 (call-process tenon-program nil nil nil "check" file))))
      (set-buffer-modified-p nil)
      (kill-buffer)
      (tenon--stop)
      (delete-file file))))

;;; emacs_test.el ends here
