;;; tenon.el --- Ghost text that fits, from a local model -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; Author: The tenon authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: convenience, languages, tools

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; tenon is a language server that completes code at the cursor with a local
;; model.  What it offers fits: the text left of the cursor, the suggestion and
;; the text right of the cursor parse together.
;;
;;     (setq tenon-program "/path/to/tenon")
;;     (global-tenon-mode)
;;
;; The package has a connection of its own, so pyright, gopls and others go on
;; in eglot or lsp-mode.  While a suggestion is on the screen TAB accepts it,
;; M-<right> its next word, C-M-<right> its next line; M-n and M-p show
;; another one, C-g dismisses it.  Without a suggestion all of these do what
;; they always do.  C-c \ asks for one at once.
;;
;; The server is told where the cursor rests and reads the text there before the
;; first key, unless `tenon-initialization-options' has (:workAhead :json-false).
;;
;; `tenon-completion-at-point' offers the same text in a completion list.
;; `tenon-eglot-register' lets eglot run tenon instead.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)
(require 'url-util)

(defvar eglot-server-programs)
(defvar company-candidates)

(defgroup tenon nil
  "Ghost text that fits, from a local model."
  :group 'convenience
  :prefix "tenon-")

(defcustom tenon-program "tenon"
  "The program of the language server."
  :type 'string
  :risky t)

(defcustom tenon-arguments '("--stdio")
  "Arguments of `tenon-program' with which it serves on standard input."
  :type '(repeat string)
  :risky t)

(defcustom tenon-initialization-options nil
  "Settings of the server, a plist such as (:maxTokens 48).
They hold from the next start of the server on."
  :type 'plist
  :risky t)

(defcustom tenon-automatic t
  "Non-nil: suggest while typing.  Nil: only when `tenon-complete' asks."
  :type 'boolean)

(defcustom tenon-idle-delay 0.12
  "So many seconds typing must rest before a suggestion is asked for."
  :type 'number)

(defcustom tenon-languages
  '((c-mode . "c") (c-ts-mode . "c") (c++-mode . "cpp") (c++-ts-mode . "cpp")
    (csharp-mode . "csharp") (csharp-ts-mode . "csharp")
    (scss-mode . nil) (less-css-mode . nil) (css-mode . "css") (css-ts-mode . "css")
    (go-mode . "go") (go-ts-mode . "go")
    (html-mode . "html") (mhtml-mode . "html") (html-ts-mode . "html")
    (java-mode . "java") (java-ts-mode . "java")
    (json-mode . "json") (js-json-mode . "json") (json-ts-mode . "json")
    (typescript-mode . "typescript") (typescript-ts-mode . "typescript")
    (tsx-ts-mode . "typescriptreact")
    (js-jsx-mode . "javascriptreact") (js-mode . "javascript")
    (js2-mode . "javascript") (js-ts-mode . "javascript")
    (lua-mode . "lua") (lua-ts-mode . "lua")
    (gfm-mode . "markdown") (markdown-mode . "markdown")
    (php-mode . "php") (php-ts-mode . "php")
    (python-mode . "python") (python-ts-mode . "python")
    (ruby-mode . "ruby") (ruby-ts-mode . "ruby")
    (rust-mode . "rust") (rust-ts-mode . "rust") (rustic-mode . "rust")
    (sh-mode . "shellscript") (bash-ts-mode . "shellscript")
    (sql-mode . "sql") (conf-toml-mode . "toml") (toml-ts-mode . "toml")
    (yaml-mode . "yaml") (yaml-ts-mode . "yaml"))
  "Major modes with the server's name of their language, nil for none.
A mode counts for those that are derived from it; the first that fits counts."
  :type '(alist :key-type symbol :value-type (choice string (const nil))))

(defface tenon-ghost '((t :inherit shadow))
  "Face of a suggestion.")


;;; The server: one process for all buffers

(defvar tenon--connection nil "The connection to the server, or nil.")
(defvar tenon--ready nil "Non-nil when the server has said hello.")
(defvar tenon--state '(:state "stopped" :reason "")
  "What the server said last of itself: :state, :reason and :action.")
(defvar tenon--rest-timer nil
  "Tells the server where the cursor rests; nil where it does not read ahead.")
(defvar tenon--languages-off nil "Languages that are switched off.")

(defvar-local tenon--uri nil "The name under which the server has the text.")
(defvar-local tenon--version 0 "The version of the text that the server has.")

(defun tenon--set-state (state &optional reason action)
  "Remember STATE with REASON and ACTION, and show it in the mode line."
  (setq tenon--state (list :state state :reason (or reason "") :action action))
  (force-mode-line-update t))

(defun tenon--on-progress (value)
  "Take VALUE of a progress: how far the model has been loaded."
  (when (member (plist-get value :kind) '("begin" "report"))
    (let ((percentage (plist-get value :percentage)))
      (tenon--set-state "loading"
                        (string-join
                         (delq nil (list (plist-get value :title) (plist-get value :message)
                                         (and (numberp percentage)
                                              (format "%d%%" percentage))))
                         " ")))))

(defun tenon--on-notification (_connection method params)
  "Take the notification METHOD with PARAMS from the server."
  (pcase method
    ('tenon/didChangeStatus
     (let ((state (plist-get params :state)))
       ;; A progress says more of loading.
       (unless (and (equal state "loading") (equal (plist-get tenon--state :state) "loading"))
         (tenon--set-state state (plist-get params :reason) (plist-get params :action)))))
    ('$/progress (tenon--on-progress (plist-get params :value)))
    ('window/showMessage (message "%s" (plist-get params :message)))))

(defun tenon--on-request (_connection method _params)
  "Answer the request METHOD of the server."
  (pcase method
    ((or 'window/workDoneProgress/create 'client/registerCapability
         'client/unregisterCapability 'window/showMessageRequest)
     nil)
    (_ (jsonrpc-error :code -32601 :message (format "no method '%s'" method)))))

(defun tenon--on-shutdown (connection)
  "Forget the server when CONNECTION has ended."
  (when (eq connection tenon--connection)
    (setq tenon--connection nil tenon--ready nil)
    (tenon--watch-rest nil)
    (tenon--set-state "failed" "the server ended; `tenon-log' shows what it said"
                      "M-x tenon-restart")
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when (bound-and-true-p tenon-mode)
          (setq tenon--uri nil)
          (tenon-dismiss))))))

(defun tenon--capabilities ()
  "Return what this client can, for `initialize'."
  (list :general '(:positionEncodings ["utf-32"])
        :window '(:workDoneProgress t)
        :textDocument '(:synchronization (:dynamicRegistration :json-false)
                        :completion (:contextSupport t)
                        :inlineCompletion (:dynamicRegistration :json-false))
        :experimental '(:tenon (:status t :additionalTextEdits t))))

(defun tenon--budgets ()
  "Return the time of an answer, unless the user's settings have one.
Ghost text waits for nobody, and a key makes the server drop its
question, so an answer may take long."
  (let ((nested (plist-get tenon-initialization-options :completion)))
    (append
     (unless (or (plist-member tenon-initialization-options :completion\.automaticBudgetMs)
                 (plist-member nested :automaticBudgetMs))
       '(:completion\.automaticBudgetMs 30000))
     (unless (or (plist-member tenon-initialization-options :completion\.invokedBudgetMs)
                 (plist-member nested :invokedBudgetMs))
       '(:completion\.invokedBudgetMs 30000)))))

(defun tenon--say-hello ()
  "Send `initialize', and open the texts when it is answered."
  (let ((connection tenon--connection))
    (jsonrpc-async-request
     connection :initialize
     (list :processId (emacs-pid) :rootUri nil
           :clientInfo (list :name "tenon.el" :version "0.1.0")
           :capabilities (tenon--capabilities)
           :initializationOptions
           (append tenon-initialization-options (tenon--budgets)))
     :timeout 60
     :success-fn (lambda (result)
                   (when (eq connection tenon--connection)
                     (jsonrpc-notify connection :initialized (make-hash-table))
                     (setq tenon--ready t)
                     (tenon--watch-rest (plist-get result :capabilities))
                     (when (equal (plist-get tenon--state :state) "starting")
                       (tenon--set-state "ready"))
                     (dolist (buffer (buffer-list))
                       (with-current-buffer buffer
                         (when (bound-and-true-p tenon-mode) (tenon--open))))))
     :error-fn (lambda (fault)
                 (tenon--set-state "failed" (plist-get fault :message) "M-x tenon-log")))))

(defun tenon--without-events ()
  "Arguments for a connection without a log of its messages.
Emacs 30 has another name for them and warns of the older one."
  (if (>= emacs-major-version 30)
      '(:events-buffer-config (:size 0 :format full))
    '(:events-buffer-scrollback-size 0)))

(defun tenon--start ()
  "Start the server where it does not run."
  (unless tenon--connection
    (if (not (executable-find tenon-program))
        (tenon--set-state "failed" (format "'%s' is no program" tenon-program)
                          "set `tenon-program'")
      (setq tenon--ready nil)
      (tenon--set-state "starting")
      (setq tenon--connection
            (apply
             #'make-instance 'jsonrpc-process-connection
             :name "tenon"
             :notification-dispatcher #'tenon--on-notification
             :request-dispatcher #'tenon--on-request
             :on-shutdown #'tenon--on-shutdown
             :process (lambda ()
                        (make-process :name "tenon"
                                      :command (cons tenon-program tenon-arguments)
                                      :connection-type 'pipe
                                      :coding 'utf-8-emacs-unix
                                      :noquery t
                                      :stderr (get-buffer-create " *tenon stderr*")))
             (tenon--without-events)))
      (tenon--say-hello))))

(defun tenon--stop ()
  "End the server."
  (when-let ((connection tenon--connection))
    (setq tenon--connection nil tenon--ready nil)
    (tenon--watch-rest nil)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer (setq tenon--uri nil)))
    (ignore-errors (jsonrpc-request connection :shutdown nil :timeout 3))
    (ignore-errors (jsonrpc-notify connection :exit nil))
    (ignore-errors (jsonrpc-shutdown connection))
    (tenon--set-state "stopped")))

;;;###autoload
(defun tenon-restart ()
  "End the server and start another."
  (interactive)
  (tenon--stop)
  (tenon--start))


;;; The text: each change is told to the server as a range

(defvar-local tenon--changes nil
  "Changes that the server has not been told, newest first.
The symbol `all': the whole text has to be told.")
(defvar-local tenon--began nil "The change under way: (BEGIN END RANGE).")
(defvar-local tenon--tick nil
  "`buffer-chars-modified-tick' of the text that is accounted for.")
(defvar-local tenon--known-line nil
  "A line's beginning and its number from 0; nothing before it has changed.")

;; As a regular expression it takes Emacs ten milliseconds to compile, whenever
;; others have pushed it from the cache; as an argument of `skip-chars-forward' one
;; and a half in text of ASCII alone, and next to nothing in other text.
(defconst tenon--unicode "\0-\ud7ff\ue000-\U0010ffff"
  "Characters of Emacs that JSON can hold: all but raw bytes and surrogates.")

(defun tenon--text (begin end)
  "Return the text between BEGIN and END for JSON.
Each character that JSON cannot hold becomes U+FFFD."
  (save-restriction
    (widen)
    (if (and enable-multibyte-characters
             (= (- end begin) (- (position-bytes end) (position-bytes begin))))
        (buffer-substring-no-properties begin end)
      (save-excursion
        (goto-char begin)
        (let ((known (if enable-multibyte-characters tenon--unicode "\0-\177"))
              pieces)
          (while (< (point) end)
            (let ((from (point)))
              (skip-chars-forward known end)
              (push (buffer-substring-no-properties from (point)) pieces)
              (when (< (point) end)
                (push "\uFFFD" pieces)
                (forward-char))))
          (mapconcat #'identity (nreverse pieces) ""))))))

(defun tenon--position (position)
  "Return the LSP position of buffer POSITION, in characters."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char position)
      (let* ((inhibit-field-text-motion t)
             (begin (line-beginning-position))
             (known (or tenon--known-line (cons (point-min) 0)))
             (lines (if (>= begin (car known))
                        (+ (cdr known) (count-lines (car known) begin))
                      (- (cdr known) (count-lines begin (car known))))))
        (setq tenon--known-line (cons begin lines))
        (list :line lines :character (- position begin))))))

(defun tenon--before-change (begin end)
  "Remember where the text between BEGIN and END lies that will be edited."
  (when tenon--uri
    (if (and tenon--tick (/= tenon--tick (buffer-chars-modified-tick)))
        (setq tenon--changes 'all tenon--began nil)
      ;; The later place first: the line that is remembered lies before the change.
      (let ((after (tenon--position end)))
        (setq tenon--began
              (list begin end (list :start (tenon--position begin) :end after)))))))

(defun tenon--after-change (begin end length)
  "Note that LENGTH characters at BEGIN became those up to END."
  (when tenon--uri
    (setq tenon--tick (buffer-chars-modified-tick))
    (unless (eq tenon--changes 'all)
      (if (and tenon--began (= begin (nth 0 tenon--began))
               (= length (- (nth 1 tenon--began) begin)))
          (push (list :range (nth 2 tenon--began) :text (tenon--text begin end))
                tenon--changes)
        ;; The hooks do not fit together: what changed is not known.
        (setq tenon--changes 'all)))
    (setq tenon--began nil)))

(defun tenon--whole-text ()
  "Return the text of the buffer."
  (save-restriction
    (widen)
    (tenon--text (point-min) (point-max))))

(defun tenon--flush ()
  "Tell the server what has changed."
  (when tenon--uri
    (when (and tenon--tick (/= tenon--tick (buffer-chars-modified-tick)))
      (setq tenon--changes 'all))
    (when tenon--changes
      (when (eq tenon--changes 'all) (setq tenon--known-line nil))
      (jsonrpc-notify
       tenon--connection :textDocument/didChange
       (list :textDocument (list :uri tenon--uri :version (cl-incf tenon--version))
             :contentChanges (if (eq tenon--changes 'all)
                                 (vector (list :text (tenon--whole-text)))
                               (vconcat (reverse tenon--changes)))))
      (setq tenon--changes nil tenon--tick (buffer-chars-modified-tick)))))

(defun tenon--language ()
  "Return the server's name of the buffer's language, or nil."
  (let ((language (cdr (cl-find-if (lambda (entry) (derived-mode-p (car entry)))
                                   tenon-languages))))
    ;; Before Emacs 29 JSON has the mode of JavaScript.
    (if (and (equal language "javascript") buffer-file-name
             (equal (file-name-extension buffer-file-name) "json"))
        "json"
      language)))

(defun tenon--open ()
  "Give the text to the server, where there is one and the language is on."
  (when (and tenon--ready (not tenon--uri) (tenon--language)
             (not (member (tenon--language) tenon--languages-off)))
    (setq tenon--uri (if buffer-file-name
                         (concat "file://" (url-hexify-string
                                            (expand-file-name buffer-file-name)
                                            (cons ?/ url-unreserved-chars)))
                       (concat "untitled:" (url-hexify-string (buffer-name))))
          tenon--version 0 tenon--changes nil tenon--began nil tenon--known-line nil
          tenon--tick (buffer-chars-modified-tick))
    (jsonrpc-notify tenon--connection :textDocument/didOpen
                    (list :textDocument (list :uri tenon--uri :version 0
                                              :languageId (tenon--language)
                                              :text (tenon--whole-text))))))

(defun tenon--close ()
  "Let the server forget the text."
  (when (and tenon--uri tenon--connection)
    (jsonrpc-notify tenon--connection :textDocument/didClose
                    (list :textDocument (list :uri tenon--uri))))
  (setq tenon--uri nil))

(defun tenon--reopen ()
  "Give the text to the server under its new name."
  (tenon--close)
  (tenon--open))


;;; Where the cursor rests: the server reads the text there ahead

(defconst tenon--rest-seconds 0.3
  "So many seconds the cursor must rest before its place is told.")
(defvar tenon--told nil
  "The place that was told last, or typed at: (URI TICK POINT).")

(defun tenon--watch-rest (capabilities)
  "Tell the cursor's place from now on where CAPABILITIES ask for it."
  (when tenon--rest-timer (cancel-timer tenon--rest-timer))
  (setq tenon--told nil
        tenon--rest-timer
        (and (eq t (plist-get (plist-get (plist-get capabilities :experimental) :tenon)
                              :cursor))
             (run-with-idle-timer tenon--rest-seconds t #'tenon--tell-rest))))

(defun tenon--tell-rest ()
  "Tell the server the cursor's place, once, where nobody has typed at it."
  (with-current-buffer (window-buffer)
    (when (and tenon--uri (bound-and-true-p tenon-mode))
      (let ((place (list tenon--uri (buffer-chars-modified-tick) (point))))
        (unless (or (equal place tenon--told) (use-region-p) (not (frame-focus-state)))
          (setq tenon--told place)
          (tenon--flush)
          (jsonrpc-notify tenon--connection :tenon/didMoveCursor
                          (list :textDocument (list :uri tenon--uri)
                                :position (tenon--position (point)))))))))


;;; The suggestion on the screen

;; begin: a marker where the text begins, at or before the cursor.  covered:
;; what stands right of the cursor and is replaced.  tail: the rest of the line
;; after that, which stays.  missing: a sign that a line above lacks, and a marker
;; where it goes, (MARKER . SIGN), or nil.
(cl-defstruct (tenon--suggestion (:constructor tenon--make-suggestion) (:copier nil))
  begin text covered tail missing)

(defvar-local tenon--shown nil "The suggestions for this place, the first one on the screen.")
(defvar-local tenon--all nil "Non-nil: the server was asked for all suggestions here.")
(defvar-local tenon--overlay nil "Where the suggestion is drawn.")
(defvar-local tenon--question nil "The question under way: (TICK POINT), or nil.")
(defvar-local tenon--last "nothing was asked yet" "What became of the last question.")
(defvar-local tenon--seen nil "Tick and point after the last command.")
(defvar tenon--timer nil "Asks when typing rests.")

(defun tenon-visible-p ()
  "Non-nil when a suggestion is on the screen."
  (and tenon--shown t))

(defun tenon--rest (suggestion)
  "Return the rest of SUGGESTION at the cursor; nil where it no longer fits."
  (let ((begin (marker-position (tenon--suggestion-begin suggestion)))
        (text (tenon--suggestion-text suggestion)))
    (and begin
         (<= (line-beginning-position) begin (point))
         (string= (buffer-substring-no-properties (point) (line-end-position))
                  (concat (tenon--suggestion-covered suggestion)
                          (tenon--suggestion-tail suggestion)))
         (let ((typed (buffer-substring-no-properties begin (point))))
           (and (< (length typed) (length text))
                (string-prefix-p typed text)
                (substring text (length typed)))))))

(defun tenon--clear ()
  "Take the suggestion from the screen."
  (when tenon--overlay (delete-overlay tenon--overlay))
  (dolist (suggestion tenon--shown)
    (set-marker (tenon--suggestion-begin suggestion) nil)
    (when-let ((missing (tenon--suggestion-missing suggestion)))
      (set-marker (car missing) nil)))
  (setq tenon--shown nil tenon--all nil))

(defun tenon--draw (rest covered)
  "Draw REST at the cursor, in place of COVERED."
  (let ((ghost (propertize rest 'face 'tenon-ghost))
        (end (+ (point) (length covered))))
    ;; The cursor stays before it; a number, since t does not do in a terminal.
    (put-text-property 0 1 'cursor 1 ghost)
    (if tenon--overlay
        (move-overlay tenon--overlay (point) end (current-buffer))
      (setq tenon--overlay (make-overlay (point) end nil t)))
    (overlay-put tenon--overlay 'priority 100)
    (overlay-put tenon--overlay 'invisible (and (/= end (point)) t))
    (overlay-put tenon--overlay 'before-string (and (/= end (point)) ghost))
    (overlay-put tenon--overlay 'after-string (and (= end (point)) ghost))))

(defun tenon--redraw ()
  "Draw the rest of the suggestion, or take it away.  Non-nil where it stays."
  (let ((rest (and tenon--shown (tenon--rest (car tenon--shown)))))
    (if rest
        (tenon--draw rest (tenon--suggestion-covered (car tenon--shown)))
      (tenon--clear))
    rest))

(defun tenon--column-position (position)
  "Return where the LSP POSITION is, which is in the cursor's line."
  (min (line-end-position) (+ (line-beginning-position) (plist-get position :character))))

(defun tenon--missing (item)
  "Return the sign that a line above lacks, by the first edit beside ITEM."
  (let ((edits (plist-get item :additionalTextEdits)))
    (when (> (length edits) 0)
      (let* ((edit (elt edits 0))
             (at (plist-get (plist-get edit :range) :start)))
        (save-excursion
          (save-restriction
            (widen)
            (goto-char (point-min))
            (forward-line (plist-get at :line))
            (cons (copy-marker (min (line-end-position) (+ (point) (plist-get at :character))))
                  (plist-get edit :newText))))))))

(defun tenon--write-missing (missing)
  "Write the sign MISSING of `tenon--missing', where there is one."
  (when missing
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (car missing))
        (insert (cdr missing))))))

(defun tenon--from-item (item)
  "Return the suggestion of an inline completion ITEM; nil if it does not fit."
  (let* ((text (plist-get item :insertText))
         (range (plist-get item :range))
         (begin (if range (tenon--column-position (plist-get range :start)) (point)))
         (end (if range (tenon--column-position (plist-get range :end)) (point))))
    (when (and (stringp text) (<= begin (point) end))
      (setq text (replace-regexp-in-string "\r\n?" "\n" text))
      (let ((covered (buffer-substring-no-properties (point) end)))
        ;; Text that is replaced by itself is no part of the suggestion.
        (when (and (> (length text) (length covered) 0) (string-suffix-p covered text))
          (setq text (substring text 0 (- (length covered)))
                end (point)
                covered ""))
        (let ((suggestion (tenon--make-suggestion
                           :begin (copy-marker begin) :text text :covered covered
                           :missing (tenon--missing item)
                           :tail (buffer-substring-no-properties end (line-end-position)))))
          (and (tenon--rest suggestion) suggestion))))))

(defun tenon--on-answer (buffer question result then)
  "Take the RESULT of QUESTION in BUFFER; call THEN with the suggestions."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      ;; A newer question has another object here.
      (when (eq question tenon--question)
        (setq tenon--question nil)
        (if (not (and (eq buffer (window-buffer))
                      (equal question (list (buffer-chars-modified-tick) (point)))))
            (setq tenon--last "the text changed before the answer came")
          (let ((suggestions (delq nil (mapcar #'tenon--from-item
                                               (plist-get result :items)))))
            (setq tenon--last (cond (suggestions "a suggestion")
                                    ((equal (plist-get tenon--state :state) "loading")
                                     "the model is loading")
                                    (t "nothing to offer here")))
            (funcall then suggestions)))))))

(defun tenon--ask (invoked then)
  "Ask for suggestions at the cursor and call THEN with them.
INVOKED: a person asks, and wants more than one."
  (if (not (and tenon--ready tenon--uri))
      (setq tenon--last (tenon--reason))
    (tenon--flush)
    (let ((buffer (current-buffer))
          (question (list (buffer-chars-modified-tick) (point))))
      (setq tenon--question question)
      (jsonrpc-async-request
       tenon--connection :textDocument/inlineCompletion
       (list :textDocument (list :uri tenon--uri)
             :position (tenon--position (point))
             :context (list :triggerKind (if invoked 1 2)))
       :timeout 60
       :success-fn (lambda (result) (tenon--on-answer buffer question result then))
       :error-fn (lambda (fault)
                   (when (buffer-live-p buffer)
                     (with-current-buffer buffer
                       (when (eq question tenon--question)
                         (setq tenon--question nil
                               tenon--last (plist-get fault :message))))))))))

(defun tenon--show (suggestions)
  "Put the first of SUGGESTIONS on the screen."
  (tenon--clear)
  (when (and suggestions (not (tenon--menu-p)))
    (setq tenon--shown suggestions)
    (tenon--redraw)))

(defun tenon--menu-p ()
  "Non-nil while a completion menu is open: that of company, of corfu, of Emacs."
  (or (bound-and-true-p company-candidates) completion-in-region-mode))

(defun tenon--ask-when-resting (buffer)
  "Ask for a suggestion in BUFFER if the user is there."
  (when (and (buffer-live-p buffer) (eq buffer (window-buffer)))
    (with-current-buffer buffer
      (when (and (bound-and-true-p tenon-mode) (not tenon--shown) (not (tenon--menu-p))
                 (not (use-region-p)))
        (tenon--ask nil #'tenon--show)))))

(defun tenon--post-command ()
  "Keep the suggestion where the user typed along it, else ask anew."
  (let ((now (list (buffer-chars-modified-tick) (point))))
    (unless (equal now tenon--seen)
      (let ((edited (and tenon--seen (/= (car now) (car tenon--seen)))))
        (setq tenon--seen now)
        (when edited (setq tenon--told (cons tenon--uri now)))
        (unless (or (and tenon--shown (tenon--redraw)) (equal now tenon--question))
          (setq tenon--question nil)
          (when tenon--timer (cancel-timer tenon--timer))
          (when (and edited tenon-automatic (not buffer-read-only))
            (setq tenon--timer (run-with-timer tenon-idle-delay nil #'tenon--ask-when-resting
                                               (current-buffer)))))))))


;;; What the user does with it

(defun tenon-dismiss ()
  "Take the suggestion away."
  (interactive)
  (when tenon--timer (cancel-timer tenon--timer))
  (setq tenon--question nil)
  (tenon--clear))

(defun tenon-complete ()
  "Ask for a suggestion now."
  (interactive)
  (tenon-dismiss)
  (tenon--ask t (lambda (suggestions)
                  (tenon--show suggestions)
                  (setq tenon--all t))))

(defun tenon--accept (pattern)
  "Insert what PATTERN matches at the beginning of the suggestion's rest.
Nil as PATTERN: all of it."
  (when-let ((rest (tenon--redraw)))
    (let* ((suggestion (car tenon--shown))
           (piece (if (and pattern (string-match pattern rest)) (match-string 0 rest) rest))
           (covered (tenon--suggestion-covered suggestion))
           (tail (tenon--suggestion-tail suggestion))
           (left (substring rest (length piece))))
      (undo-boundary)
      (tenon--write-missing (tenon--suggestion-missing suggestion))
      (tenon--clear)
      (when (string-empty-p left)
        (delete-region (point) (+ (point) (length covered))))
      ;; Text that is inserted is not indented anew.
      (insert piece)
      (undo-boundary)
      (unless (string-empty-p left)
        (setq tenon--shown (list (tenon--make-suggestion :begin (copy-marker (point)) :text left
                                                         :covered covered :tail tail)))
        (tenon--redraw))
      t)))

(defun tenon-accept ()
  "Put the suggestion into the buffer."
  (interactive)
  (tenon--accept nil))

(defun tenon-accept-word ()
  "Put the next word of the suggestion into the buffer."
  (interactive)
  (tenon--accept "\\`[ \t\n]*\\(?:[[:alnum:]_]+\\|[^[:alnum:]_ \t\n]+\\)"))

(defun tenon-accept-line ()
  "Put the next line of the suggestion into the buffer."
  (interactive)
  (tenon--accept "\\`\n*[^\n]*"))

(defun tenon--rotate (count)
  "Show the suggestion that is COUNT places further, of those that fit here."
  (setq tenon--shown (cl-remove-if-not #'tenon--rest tenon--shown))
  (if (cdr tenon--shown)
      (let ((from (mod count (length tenon--shown))))
        (setq tenon--shown (append (nthcdr from tenon--shown)
                                   (cl-subseq tenon--shown 0 from))))
    (message "tenon: no other suggestion here"))
  (tenon--redraw))

(defun tenon-next (&optional count)
  "Show another suggestion for this place, COUNT places further."
  (interactive "p")
  (when (tenon--redraw)
    (if (or tenon--all (cdr tenon--shown))
        (tenon--rotate (or count 1))
      (let ((first (car tenon--shown)))
        (tenon--ask t (lambda (suggestions)
                        (when (eq first (car tenon--shown))
                          (let ((rest (tenon--rest first)))
                            (setq tenon--all t
                                  tenon--shown
                                  (cons first (cl-remove rest suggestions :key #'tenon--rest
                                                         :test #'equal)))
                            (tenon--rotate (or count 1))))))))))

(defun tenon-previous (&optional count)
  "Show the suggestion that is COUNT places before this one."
  (interactive "p")
  (tenon-next (- (or count 1))))

(defun tenon--if-visible (command)
  "Return a binding of COMMAND for the time that a suggestion is shown."
  `(menu-item "" ,command :filter ,(lambda (bound) (and (tenon-visible-p) bound))))

(defvar tenon-mode-map
  (let ((map (make-sparse-keymap)))
    (dolist (binding '(("TAB" . tenon-accept) ("<tab>" . tenon-accept)
                       ("M-<right>" . tenon-accept-word) ("C-M-<right>" . tenon-accept-line)
                       ("M-n" . tenon-next) ("M-p" . tenon-previous) ("C-g" . tenon-dismiss)))
      (define-key map (kbd (car binding)) (tenon--if-visible (cdr binding))))
    (define-key map (kbd "C-c \\") #'tenon-complete)
    map)
  "Keymap of `tenon-mode'.
All but the last act on a suggestion, and are free where there is none.")


;;; Modes and commands

(defun tenon--reason ()
  "Return why nothing is suggested here, or how it is with the server."
  (let ((language (tenon--language)))
    (cond ((not language) (format "`%s' is not among `tenon-languages'" major-mode))
          ((member language tenon--languages-off)
           (format "off for %s; M-x tenon-toggle-language" language))
          ((not (bound-and-true-p tenon-mode)) "off for this buffer; M-x tenon-mode")
          (t (let ((action (plist-get tenon--state :action)))
               (concat (plist-get tenon--state :state)
                       (let ((reason (plist-get tenon--state :reason)))
                         (if (string-empty-p (or reason "")) "" (concat " (" reason ")")))
                       (if action (concat "; " action) "")))))))

(defun tenon--lighter ()
  "Return the words of the mode line for the server and this buffer."
  (let ((state (plist-get tenon--state :state))
        (reason (plist-get tenon--state :reason)))
    (propertize
     (cond ((member (tenon--language) tenon--languages-off) " tenon:off")
           ((equal state "ready") " tenon")
           ((equal state "busy") " tenon…")
           ((and (equal state "loading") (string-match "[0-9]+ ?%" reason))
            (concat " tenon:" (match-string 0 reason)))
           (t (concat " tenon:" state)))
     'help-echo (tenon--reason))))

;;;###autoload
(define-minor-mode tenon-mode
  "Suggest completions that fit as ghost text."
  :lighter (:eval (tenon--lighter))
  (cond
   (tenon-mode
    (add-hook 'before-change-functions #'tenon--before-change nil t)
    (add-hook 'after-change-functions #'tenon--after-change nil t)
    (add-hook 'post-command-hook #'tenon--post-command nil t)
    (add-hook 'kill-buffer-hook #'tenon--close nil t)
    (add-hook 'change-major-mode-hook #'tenon--leave nil t)
    (add-hook 'after-set-visited-file-name-hook #'tenon--reopen nil t)
    (add-hook 'after-revert-hook #'tenon--reopen nil t)
    (setq tenon--seen (list (buffer-chars-modified-tick) (point)))
    (tenon--start)
    (tenon--open))
   (t
    (tenon-dismiss)
    (tenon--close)
    (remove-hook 'before-change-functions #'tenon--before-change t)
    (remove-hook 'after-change-functions #'tenon--after-change t)
    (remove-hook 'post-command-hook #'tenon--post-command t)
    (remove-hook 'kill-buffer-hook #'tenon--close t)
    (remove-hook 'change-major-mode-hook #'tenon--leave t)
    (remove-hook 'after-set-visited-file-name-hook #'tenon--reopen t)
    (remove-hook 'after-revert-hook #'tenon--reopen t))))

(defun tenon--leave ()
  "Take the suggestion away and close the text, before another mode."
  (tenon-dismiss)
  (tenon--close))

(defun tenon--turn-on ()
  "Turn `tenon-mode' on where a file of a known language is edited."
  (when (and buffer-file-name (tenon--language)) (tenon-mode)))

;;;###autoload
(define-globalized-minor-mode global-tenon-mode tenon-mode tenon--turn-on
  :group 'tenon)

(defun tenon-toggle-language ()
  "Turn tenon off or on for all buffers of this buffer's language."
  (interactive)
  (let ((language (or (tenon--language) (user-error "`%s' is not among `tenon-languages'"
                                                    major-mode))))
    (setq tenon--languages-off (if (member language tenon--languages-off)
                                   (remove language tenon--languages-off)
                                 (cons language tenon--languages-off)))
    (let ((off (member language tenon--languages-off)))
      (dolist (buffer (buffer-list))
        (with-current-buffer buffer
          (when (and (bound-and-true-p tenon-mode) (equal (tenon--language) language))
            (tenon-dismiss)
            (if off (tenon--close) (tenon--open)))))
      (force-mode-line-update t)
      (message "tenon: %s for %s" (if off "off" "on") language))))

(defun tenon-status ()
  "Say how it is with the server, this buffer and the last question."
  (interactive)
  (message "tenon: %s; last: %s" (tenon--reason) tenon--last))

(defun tenon-log ()
  "Show the log of the daemon, or what the server itself said last."
  (interactive)
  ;; A path that is empty or relative does not count, as in the program.
  (let* ((state (getenv "XDG_STATE_HOME"))
         (log (expand-file-name "tenon/daemon.log"
                                (if (and state (file-name-absolute-p state)) state
                                  "~/.local/state"))))
    (cond ((file-readable-p log)
           (view-file-other-window log)
           (goto-char (point-max)))
          (t (pop-to-buffer (get-buffer-create " *tenon stderr*"))))))

(defun tenon--run (&rest arguments)
  "Return what `tenon-program' prints with ARGUMENTS; an error if it fails."
  (with-temp-buffer
    (let ((status (apply #'call-process tenon-program nil t nil arguments)))
      (if (eql status 0)
          (buffer-string)
        (user-error "Tenon: %s" (string-trim (buffer-string)))))))

(defun tenon--models ()
  "Return the names of the models that are installed."
  (let (names)
    (dolist (line (split-string (tenon--run "model" "list" "--json") "\n" t))
      (let ((model (json-parse-string line :object-type 'plist :false-object nil)))
        (when (and (plist-get model :name) (plist-get model :installed))
          (push (plist-get model :name) names))))
    (nreverse names)))

(defun tenon-model (name)
  "Choose the model NAME and start the server anew."
  (interactive (list (completing-read "Model: " (tenon--models) nil t)))
  (let ((said (string-trim (tenon--run "model" "use" name)))
        (set (plist-get tenon-initialization-options :model)))
    (tenon-restart)
    (message "%s%s" said
             (if set
                 (format "; but `tenon-initialization-options' names %s, which counts" set)
               ""))))


;;; In a completion list

(defun tenon--list-item ()
  "Return the server's item for a completion list here, or nil."
  (tenon--flush)
  (let ((answer (ignore-errors
                  (jsonrpc-request tenon--connection :textDocument/completion
                                   (list :textDocument (list :uri tenon--uri)
                                         :position (tenon--position (point))
                                         :context '(:triggerKind 1))
                                   :timeout 2 :cancel-on-input non-essential))))
    (and (listp answer)
         (let ((items (plist-get answer :items)))
           (and (> (length items) 0) (aref items 0))))))

;;;###autoload
(defun tenon-completion-at-point ()
  "Complete at point by the server, for `completion-at-point-functions'.
The list shows the first line; accepting it inserts all of it."
  (when (and tenon--ready tenon--uri)
    (when-let* ((item (tenon--list-item))
                (edit (plist-get item :textEdit))
                (range (plist-get edit :range)))
      (let* ((begin (tenon--column-position (plist-get range :start)))
             (covered (- (tenon--column-position (plist-get range :end)) (point)))
             (text (plist-get edit :newText))
             (typed (buffer-substring-no-properties begin (point)))
             (label (car (split-string text "\n")))
             (missing (tenon--missing item)))
        (when (and (string-prefix-p typed label) (> (length text) (length typed)))
          (list begin (point)
                (list (if (string= label typed) text label))
                :exclusive 'no
                :annotation-function (lambda (_) " tenon")
                :exit-function
                (lambda (_chosen status)
                  (when (memq status '(finished sole exact))
                    (delete-region begin (+ (point) covered))
                    (insert text)
                    (tenon--write-missing missing)))))))))

;;;###autoload
(defun tenon-eglot-register ()
  "Let eglot run tenon for its languages, in place of their other servers.
Then `completion-at-point' offers what it has, and `tenon-mode' is not needed."
  (interactive)
  (require 'eglot)
  (let ((modes (mapcar #'car (cl-remove-if-not #'cdr tenon-languages))))
    (add-to-list 'eglot-server-programs (cons modes (cons tenon-program tenon-arguments)))))

(provide 'tenon)
;;; tenon.el ends here
